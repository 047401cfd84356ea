//! Includes of several documents by one name: `include "conf.d/*.yay"`.

use super::{Graph, GroupId};
use crate::error::{Category, Error, Result};
use crate::source::Span;
use crate::value::MASK;

/// Returns whether a name stands for several documents in a folder.
pub(super) fn is_pattern(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|file| file.contains('*'))
}

/// Returns whether a name matches a pattern. `*` matches any text, except the dot at the start of hidden files.
fn fits(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(mut name) = name.strip_prefix(first).and_then(|name| name.strip_suffix(last)) else { return false };
    for part in middle.split('*') {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    true
}

impl Graph<'_> {
    /// Returns the documents that a pattern stands for, in the order of their names: those of the first folder that has
    /// any.
    pub(super) fn documents_like(&mut self, name: &str, secret: bool, group: GroupId, at: Span) -> Result<Vec<u32>> {
        let (folder, pattern) =
            name.rsplit_once('/').map_or(("./", name), |(folder, _)| name.split_at(folder.len() + 1));
        let source = self.loaded.sources.get(at.source);
        let (own, remote) = (source.address.clone().unwrap_or_default(), source.remote);
        let mut places = vec![own.to_string()];
        places.extend(self.search_places(at)?);
        self.refused = None;
        let mut has_folder = false;
        for place in &places {
            let Some(address) = self.loaded.opener.locate(folder, place) else { continue };
            let address = format!("{}/", address.trim_end_matches('/'));
            if remote && self.loaded.opener.is_local(&address) {
                continue;
            }
            let Some(mut names) = self.loaded.opener.list(&address) else { continue };
            has_folder = true;
            self.look_through(names.len(), at)?;
            names.retain(|name| fits(pattern, name));
            names.sort_unstable();
            names.retain(|name| {
                self.loaded.opener.locate(&format!("{folder}{name}"), place).is_none_or(|found| *found != *own)
            });
            if names.is_empty() {
                continue;
            }
            let mut documents = Vec::new();
            for name in &names {
                let name = format!("{folder}{name}");
                let shown = if secret { MASK } else { &name };
                let address = self.loaded.opener.locate(&name, place);
                let opened = match address {
                    Some(address) => self.opened_there(&address, (shown, secret), remote, group, at)?,
                    None => None,
                };
                documents.push(opened.ok_or_else(|| self.no_document(shown, group, at))?);
            }
            return Ok(documents);
        }
        if has_folder {
            return Ok(Vec::new());
        }
        let shown = if secret { MASK } else { name };
        let help = "`*` matches the names of files in a folder, which must exist on this machine";
        Err(self.no_document(shown, group, at).help(help))
    }

    pub(super) fn no_document(&self, shown: &str, group: GroupId, at: Span) -> Error {
        let missing = || Error::new(Category::NotFound, at, format!("there is no document `{shown}` to include"));
        let error = self.refused.clone().unwrap_or_else(missing);
        error.trail(self.trail(self.group(group).scope))
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_match_any_text() {
        for (pattern, name) in
            [("*", "a"), ("*.yay", "a.yay"), ("a*", "a"), ("a*b*c", "axbyc"), ("*a*a*", "aa"), (".*", ".a")]
        {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("*.yay", "a.yml"), ("a*a", "a"), ("a*b*c", "axc"), ("*a*a*", "a"), ("*", ".a"), ("a", "ab")]
        {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
