//! Reads an entity that is a map: finds the field for each key and reports problems with keys.

use super::reader::{Reader, with_article};
use crate::ard::{Entry, Kind as NodeKind, Node};
use crate::diagnostic::suggest::{and_list, nearest};
use crate::diagnostic::{Edit, Help, Safety};
use crate::entity::{
    Described, EntityDescription, FieldDescription, Keyname, Kind, KindVocabulary, LanguageVersion, LocalId, Quirk,
    Shape,
};
use crate::rules;

impl Reader<'_> {
    pub(super) fn read_keynames(
        &mut self,
        entity: &mut dyn Described,
        id: LocalId,
        node: Node<'_>,
        vocabulary: &KindVocabulary,
    ) {
        let description = entity.description();
        for (early, field) in description.fields.iter().enumerate().filter(|(_, field)| field.early) {
            for entry in node.entries().filter(|entry| !entry.duplicate) {
                if let Some((index, keyname)) = self.find_keyname(vocabulary, entry.key)
                    && index == early
                {
                    self.read_keyname(entity, (node, vocabulary), (index, field, keyname), entry);
                }
            }
        }
        let ignored = self.ignored;
        let mut is_cut = false;
        for entry in node.entries().filter(|entry| Some(entry.key.id()) != ignored) {
            match self.find_keyname(vocabulary, entry.key) {
                _ if self.claimed.contains(&entry.key.id()) => {}
                // A duplicate key has been reported and is ignored.
                found if entry.duplicate => {
                    found.into_iter().for_each(|(index, _)| self.lose_duplicate(id, &description.fields[index]));
                }
                Some((_, keyname)) if self.is_misspelt(description, keyname, entry.key) => {
                    self.read_unknown(entity, id, node, vocabulary, entry);
                }
                Some((index, keyname)) => {
                    let field = &description.fields[index];
                    if !field.early {
                        self.read_keyname(entity, (node, vocabulary), (index, field, keyname), entry);
                    }
                    is_cut = self.cut == Some(entry.value.id());
                }
                None if is_cut && entry.value.kind() == NodeKind::Null => {}
                None => self.read_unknown(entity, id, node, vocabulary, entry),
            }
        }
    }

    /// Reports an unknown keyname and reads its value as that of the keyname that was probably meant, so that problems
    /// in the value are reported and the names in it become known.
    fn read_unknown(
        &mut self,
        entity: &mut dyn Described,
        id: LocalId,
        node: Node<'_>,
        vocabulary: &KindVocabulary,
        entry: Entry<'_>,
    ) {
        let description = entity.description();
        let Some(index) = self.unknown_keyname(description, id, vocabulary, entry) else { return };
        let field = &description.fields[index];
        let is_meant = |keyname: &&Keyname| keyname.versions.contains(self.version) && keyname.name != Keyname::ANY;
        let Some(keyname) = field.keynames.iter().find(is_meant) else { return };
        let is_given = entity.field(index).is_set() || node.find(keyname.name).is_some();
        if !is_given && !field.early {
            self.read_keyname(entity, (node, vocabulary), (index, field, keyname), entry);
        }
    }

    /// Returns the field and the keyname that a key refers to in this version.
    pub(super) fn find_keyname(&self, vocabulary: &KindVocabulary, key: Node<'_>) -> Option<(usize, &'static Keyname)> {
        if key.kind() != NodeKind::String {
            return None;
        }
        let is_read = |(_, keyname): &(usize, &'static Keyname)| keyname.is_read_in(self.version);
        let in_version = |(_, keyname): &(usize, &'static Keyname)| keyname.versions.contains(self.version);
        let symbol = key.symbol()?;
        vocabulary
            .find(symbol)
            .find(in_version)
            .or_else(|| vocabulary.find(symbol).find(is_read))
            .or_else(|| vocabulary.find(symbol).find(|(_, keyname)| self.language.is_early(self.version, keyname)))
            .or_else(|| vocabulary.any().find(is_read))
    }

    /// Returns whether a key is probably a misspelled keyname rather than an arbitrary name, in a position where
    /// arbitrary names are only tolerated.
    fn is_misspelt(&self, description: &EntityDescription, keyname: &Keyname, key: Node<'_>) -> bool {
        let is_put_up_with = keyname.name == Keyname::ANY && !keyname.versions.contains(self.version);
        is_put_up_with && nearest(key.text(), description.keynames(self.version)).is_some()
    }

    fn read_keyname(
        &mut self,
        entity: &mut dyn Described,
        (node, vocabulary): (Node<'_>, &KindVocabulary),
        (index, field, keyname): (usize, &'static FieldDescription, &'static Keyname),
        Entry { key, value, .. }: Entry<'_>,
    ) {
        if self.owner.is_some_and(|id| self.lacks_owner(id)) {
            // The keynames are those of another entity, which has been reported.
        } else if !keyname.versions.contains(self.version) && keyname.name == Keyname::ANY {
            let named = field.keyname(self.version);
            let message = format!("`{}` is next to `{named}`, not in it", key.text());
            self.problem(&rules::TOLERATED_KEYNAME, key, message).help(format!("move it to `{named}`"));
        } else if !keyname.versions.contains(self.version) {
            let message = format!("`{}` is not a keyname in {}", key.text(), self.language.version_title(self.version));
            let help = self.instead_of(field, keyname);
            self.problem(&rules::TOLERATED_KEYNAME, key, message).help(help);
        }
        let is_null_default = value.kind() == NodeKind::Null && self.language.defaults.contains(&keyname.name);
        if is_null_default && self.has(Quirk::NULL_DEFAULTS) {
            return;
        }
        if keyname.name == Keyname::ANY {
            entity.field_mut(index).read_entry(self, key, value, field);
        } else if value.is_placeholder() {
            // The original value is unknown, which has been reported.
        } else if field.keynames.len() > 1 && entity.field(index).is_set() {
            let mut others = field.keynames.iter().filter(|other| other.name != keyname.name);
            let Some(other) = others.find_map(|other| node.find(other.name)) else { return };
            let message = format!("`{}` means the same as `{}`, which is also given", key.text(), other.key.text());
            let help =
                format!("remove one of the keynames; the name in this version is `{}`", field.keyname(self.version));
            self.problem(&rules::KEYNAME_TWICE, key, message)
                .related_node(other.key.id(), "the other keyname")
                .help(help);
        } else if value.kind() == NodeKind::Null && !(field.nullable && field.entity(self.version).is_none()) {
            self.read_null(entity, (node, vocabulary), (index, field, keyname), (key, value));
        } else {
            self.keyname = Some((key.id(), value.id()));
            self.misfit = None;
            entity.field_mut(index).read(self, value, field);
            if self.misfit == Some(value.id()) {
                self.lose(field);
            }
        }
    }

    /// Reports a keyname that requires a value but has none. Its content may follow at the level of the keyname.
    fn read_null(
        &mut self,
        entity: &mut dyn Described,
        (node, vocabulary): (Node<'_>, &KindVocabulary),
        (index, field, keyname): (usize, &'static FieldDescription, &'static Keyname),
        (key, value): (Node<'_>, Node<'_>),
    ) {
        let is_absent = self.language.leniency.null_is_absent.contains(self.version);
        let mut content = self.unindented(entity.description(), vocabulary, (node, key), field);
        if is_absent && !self.is_content(&content, field) {
            content.clear();
        }
        if !content.is_empty() {
            self.incomplete.insert(value.id());
            self.not_indented(&format!("`{}`", keyname.name), key, &content);
            match field.shape {
                Shape::Named(_) => {
                    for Entry { key, value, .. } in content {
                        entity.field_mut(index).read_entry(self, key, value, field);
                    }
                }
                _ => self.lose_content(field),
            }
        } else if !is_absent && !self.has(Quirk::NULL_SECTIONS) {
            let message = format!("`{}` has no value", keyname.name);
            self.problem(&rules::NULL_VALUE, key, message)
                .help("write a value, or remove the keyname")
                .help(Quirk::NULL_SECTIONS.help());
            self.lose(field);
            if matches!(field.shape, Shape::Reference) {
                let was_silent = std::mem::replace(&mut self.is_silent, true);
                entity.field_mut(index).read(self, value, field);
                self.is_silent = was_silent;
            }
        }
    }

    /// Records that the content of a field in the current entity could not be read. The names that it may declare are
    /// not reported as unknown.
    pub(super) fn lose(&mut self, field: &'static FieldDescription) {
        match field.declares() {
            Some(section) => self.out.losses.sections.push(section),
            // An early field that declares no names contains the imports.
            None if field.early => self.out.losses.imports = true,
            None if field.holds_entities() => self.out.losses.entities.extend(self.owner),
            None => {}
        }
    }

    /// Records that the content of a field is not read, so that the names that it would declare are lost.
    fn lose_content(&mut self, field: &'static FieldDescription) {
        self.lose(field);
        self.out.losses.entities.extend(self.owner);
        if let Shape::One(content) = field.shape {
            self.out.losses.sections.extend(content().fields.iter().filter_map(|field| field.section));
        }
    }

    /// Records that the content of a duplicate field is lost.
    fn lose_duplicate(&mut self, id: LocalId, field: &'static FieldDescription) {
        let has_parts = matches!(field.shape, Shape::Values | Shape::Named(_) | Shape::Sequence(_) | Shape::List(_));
        match field.declares() {
            Some(section) => self.out.losses.sections.push(section),
            None if id.kind == self.root => self.out.losses.imports |= has_parts,
            None if has_parts => self.out.losses.entities.push(id),
            None => {}
        }
    }

    /// Reports an unknown keyname and returns the field that was probably meant.
    fn unknown_keyname(
        &mut self,
        description: &'static EntityDescription,
        id: LocalId,
        vocabulary: &KindVocabulary,
        Entry { key, .. }: Entry<'_>,
    ) -> Option<usize> {
        let version = self.version;
        let title = self.language.version_title(version);
        let what = description.with_article();
        let other = key.symbol().filter(|_| key.kind() == NodeKind::String).and_then(|key| vocabulary.find(key).next());
        if let Some((index, keyname)) = other {
            let message = format!("`{}` is not a keyname of {what} in {title}", keyname.name);
            let help = self.instead_of(&description.fields[index], keyname);
            let field = &description.fields[index];
            // A plain value may have a different meaning or form under the other name.
            let is_same = field.exists_in(version) && !matches!(field.shape, Shape::Value | Shape::Values);
            let edit = if is_same { key.reworded(field.keyname(version)) } else { None };
            let problem = self.problem(&rules::UNSUPPORTED_KEYNAME, key, message).help(help);
            if let Some(edit) = edit {
                problem.edit(Edit { safety: Safety::Safe, ..edit });
            }
            return Some(index).filter(|_| field.exists_in(version) && field.holds_entities());
        }
        let is_root = id.kind == self.root;
        let is_vendors = self.is_of_vendor(id.kind, key);
        if is_root && self.has(Quirk::VENDOR_SECTIONS) || is_vendors && self.has(Quirk::VENDOR_KEYNAMES) {
            return None;
        }
        if key.kind() != NodeKind::String {
            let message = format!("a keyname must be a string, not {}", with_article(key));
            self.problem(self.language.unknown_keyname, key, message);
            return None;
        }
        // The level may be the result of the recovery from a syntax error, or wrong, which has been reported.
        if self.document.is_moved(key) || self.lacks_owner(id) {
            self.out.losses.entities.push(id);
            return None;
        }
        let names: Vec<&str> = description.keynames(self.version).collect();
        let message = format!("`{}` is not a keyname of {}", key.text(), self.title(description, id));
        let near = description.meant(key.text(), self.version).filter(|_| !is_vendors);
        let misplaced = (self.language.misplaced_key)(description, version, key.text());
        // Content that belongs elsewhere must not be ignored.
        let is_misplaced = misplaced.is_some();
        let help = misplaced.map_or_else(
            || match near {
                Some(name) => Help::did_you_mean(name),
                None if names.is_empty() => format!("{what} has no keynames").into(),
                None => match Self::below(description, version) {
                    Some(keyname) => format!("write it below `{keyname}`: `{keyname}: {{ {}: … }}`", key.text()).into(),
                    None => format!("{what} has the keynames {}", and_list(&names)).into(),
                },
            },
            Help::from,
        );
        let quirk = Some(Quirk::VENDOR_SECTIONS.help()).filter(|_| is_root && near.is_none() && !is_misplaced);
        let quirk = quirk.or_else(|| is_vendors.then(|| Quirk::VENDOR_KEYNAMES.help()));
        let problem = self.problem(self.language.unknown_keyname, key, message).help(help);
        if let Some(quirk) = quirk {
            problem.help(quirk);
        }
        let is_near = |keyname: &Keyname| near == Some(keyname.name) && keyname.versions.contains(version);
        description.find(|field| field.keynames.iter().any(is_near)).map(|(index, _)| index)
    }

    /// Returns whether an entity belongs into another one whose name is missing. This has been reported.
    fn lacks_owner(&self, id: LocalId) -> bool {
        self.header(id).is_some_and(|header| self.is_nameless(header.key) && self.is_incomplete(header.node))
    }

    /// Returns the keyname under which the given version requires the entries that other versions allow directly in the
    /// entity.
    fn below(description: &EntityDescription, version: LanguageVersion) -> Option<&'static str> {
        let stands_anywhere = |field: &FieldDescription| field.keynames.iter().any(|keyname| keyname.name == "*");
        let (_, field) = description.find(stands_anywhere)?;
        let keyname = field.keynames.iter().find(|keyname| keyname.versions.contains(version))?;
        Some(keyname.name).filter(|_| keyname.is_written())
    }

    /// Returns whether a key is a keyname that orchestrators have added.
    pub(super) fn is_of_vendor(&self, kind: Kind, key: Node<'_>) -> bool {
        self.language.vendor_keynames.iter().any(|(kinds, keyname)| *keyname == key.text() && kinds.contains(&kind))
    }

    /// Returns help that says what to write instead of a keyname that does not exist in the source's version.
    fn instead_of(&self, field: &FieldDescription, keyname: &Keyname) -> String {
        let (version, language) = (self.version, self.language);
        if field.exists_in(version) {
            format!("in {} it is written `{}`", language.version_title(version), field.keyname(version))
        } else if keyname.versions.since > version {
            format!("it was added in {}", language.version_title(keyname.versions.since))
        } else {
            format!("it exists only up to {}; remove the keyname", language.version_title(keyname.versions.until))
        }
    }

    /// Returns whether a map is a map of keynames, for an entity that has a short form that is also a map. A misspelled
    /// keyname must not turn a definition into a value, and a key in a value that happens to be a keyname must not turn
    /// the value into a definition.
    pub(super) fn has_keynames(
        &self,
        description: &EntityDescription,
        (kind, vocabulary): (Kind, &KindVocabulary),
        node: Node<'_>,
    ) -> bool {
        let mut known = 0;
        let mut unknown = Vec::new();
        for entry in node.entries() {
            match self.find_keyname(vocabulary, entry.key) {
                Some((index, _)) if description.fields[index].mandatory.is_some() => return true,
                Some(_) => known += 1,
                None if self.is_of_vendor(kind, entry.key) => {}
                None => unknown.push(entry.key),
            }
        }
        let is_misspelt = |key: &Node<'_>| {
            let names = description.fields.iter().flat_map(|field| field.keynames);
            let written = names.filter(|keyname| keyname.is_written()).map(|keyname| keyname.name);
            nearest(key.text(), written).is_some()
        };
        node.is_empty() || known > 0 && unknown.iter().all(is_misspelt)
    }

    /// Reports missing mandatory keynames. `short` is the field that a short form has set.
    pub(super) fn check_mandatory(
        &mut self,
        entity: &dyn Described,
        id: LocalId,
        node: Node<'_>,
        short: Option<usize>,
    ) {
        let description = entity.description();
        for (index, field) in description.fields.iter().enumerate() {
            let Some(mandatory) = field.mandatory else { continue };
            if mandatory.inheritable || !mandatory.versions.contains(self.version) || entity.field(index).is_set() {
                continue;
            }
            let keyname = field.keyname(self.version);
            // A field without a keyname can be set only by a short form; any other form has been reported.
            if keyname == Keyname::NONE {
                continue;
            }
            // A keyname from a different version also sets the field and has been reported.
            if field.keynames.iter().any(|other| other.is_written() && node.find(other.name).is_some()) {
                continue;
            }
            // A value that could not be read has been reported, as has a misspelled keyname.
            let is_reported =
                node.find(keyname).is_some() || description.misspelt(node, keyname, self.version).is_some();
            if is_reported || self.is_incomplete(node.id()) || short == Some(index) || !self.document.is_complete() {
                continue;
            }
            let message = format!("{} lacks the mandatory keyname `{keyname}`", self.title(description, id));
            let key = self.header(id).map_or(node, |header| self.document.node(header.key));
            self.problem(&rules::MISSING_KEYNAME, key, message).help(format!("add `{keyname}: …`"));
        }
    }
}
