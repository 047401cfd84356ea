//! The reference for one entity, for terminals.

use std::fmt;

use super::{documentation, fields, holders, phrase};
use crate::diagnostic::color::{CODE, STRONG, paint};
use crate::diagnostic::prose::Prose;
use crate::entity::{EntityDescription, FieldDescription, Keyname, Language, LanguageVersion};

/// The reference for an entity in a version of its language: the output of `reference ENTITY`.
#[derive(Clone, Copy, Debug)]
pub struct EntityHelp<'a> {
    language: &'a Language,
    version: LanguageVersion,
    entity: &'static EntityDescription,
    color: bool,
    width: usize,
}

impl<'a> EntityHelp<'a> {
    /// Creates the reference for an entity, without color and with 80 columns.
    pub fn new(language: &'a Language, version: LanguageVersion, entity: &'static EntityDescription) -> Self {
        Self { language, version, entity, color: false, width: 80 }
    }

    /// Sets whether to use color; see [`Color::enabled`](crate::diagnostic::Color::enabled).
    #[must_use]
    pub fn color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    fn prose(&self, indent: usize) -> Prose {
        Prose { color: self.color, width: self.width, indent }
    }

    fn field(
        &self,
        f: &mut fmt::Formatter<'_>,
        name: &str,
        (field, keyname): (&'static FieldDescription, &'static Keyname),
    ) -> fmt::Result {
        let title = |_: &EntityDescription, title: &str| title.to_owned();
        let value = phrase::value(self.language, field, (self.version, keyname), &title);
        writeln!(f, "  {}: {value}", paint(name.trim_matches('`'), CODE, self.color))?;
        let mut sentences = vec![phrase::line(field.docs)];
        sentences.extend(phrase::notes(self.language, field, self.version, keyname));
        let word = phrase::inheritance(field);
        let meaning = phrase::INHERITANCE.iter().find(|(known, _)| *known == word);
        sentences.extend(meaning.map(|(word, meaning)| format!("Inherited, {word}: {meaning}.")));
        self.prose(6).paragraph(&sentences.join(" "), f)
    }
}

impl fmt::Display for EntityHelp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { language, version, entity, .. } = *self;
        let (text, examples) = documentation(language, version, entity);
        writeln!(f, "{} of {}", paint(entity.title, STRONG, self.color), language.version_title(version))?;
        for paragraph in text.split("\n\n") {
            writeln!(f)?;
            self.prose(0).paragraph(paragraph, f)?;
        }
        let mut facts: Vec<String> =
            phrase::section(language, version, entity).map(|section| format!("{section}.")).into_iter().collect();
        let places = holders(language, version, entity);
        if !places.is_empty() {
            let places = places.iter().map(|(holder, keyname)| phrase::place(keyname, holder.title));
            facts.push(format!("Used in {}.", places.collect::<Vec<_>>().join(", ")));
        }
        facts.extend(phrase::short_forms(entity, version));
        if !facts.is_empty() {
            writeln!(f)?;
            self.prose(0).paragraph(&facts.join(" "), f)?;
        }
        writeln!(f, "\n{}:", paint("keynames", STRONG, self.color))?;
        for (number, (field, keyname)) in fields(entity, version).enumerate() {
            self.field(f, &phrase::label_of(entity, number, keyname), (field, keyname))?;
        }
        for example in examples {
            writeln!(f, "\n{}:\n", paint("example", STRONG, self.color))?;
            for line in example.lines() {
                writeln!(f, "{}", format!("    {line}").trim_end())?;
            }
        }
        Ok(())
    }
}
