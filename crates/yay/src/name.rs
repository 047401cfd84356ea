//! Keys and names as numbers, so that comparing and copying them is cheap.

use std::rc::Rc;

use foldhash::HashMap;

/// A key or a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name(u32);

#[derive(Default)]
pub(crate) struct Names {
    numbers: HashMap<Rc<str>, Name>,
    texts: Vec<Rc<str>>,
}

impl Names {
    pub(crate) fn number(&mut self, text: &str) -> Name {
        if let Some(name) = self.numbers.get(text) {
            return *name;
        }
        let text: Rc<str> = text.into();
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.clone());
        self.numbers.insert(text, name);
        name
    }

    pub(crate) fn text(&self, name: Name) -> &Rc<str> {
        &self.texts[name.0 as usize]
    }
}
