//! What documents say of how others are opened: `configure openers` and `configure basicauth`.

use std::fmt::Write;

use super::view::Older;
use super::{Graph, ViewId};
use crate::error::{Category, Error, Result};
use crate::evaluate::to_text;
use crate::name::Name;
use crate::source::Span;
use crate::value::{Kind, Value};

impl Graph<'_> {
    /// What the documents that were reached so far say of a section, as a mapping.
    pub(crate) fn settings(&mut self, section: &str) -> Value {
        let name = self.names.number(section);
        let at = self.views[self.root.at()].at;
        let view = self.add_view(at, Older::Nothing);
        for (section, block, scope) in self.configured.clone() {
            if section == name {
                let group = self.add_group(block, scope, Some(view.id));
                let layer = self.layer_of(group);
                self.push_layer(view, layer);
            }
        }
        self.map_value(view.id)
    }

    /// An address as the settings have it: in the place that an opener has instead of a scheme, and with the name and
    /// the password for it. What is included by the settings themselves is opened without them.
    pub(super) fn configured_address(&mut self, address: String, at: Span) -> Result<String> {
        if self.configured.is_empty() || self.configuring {
            return Ok(address);
        }
        self.configuring = true;
        let result = self.opened_by(address, at).and_then(|address| self.with_password(address));
        self.configuring = false;
        result
    }

    /// `configure openers`: for each scheme what is opened instead, or `false`.
    fn opened_by(&mut self, address: String, at: Span) -> Result<String> {
        let Some((scheme, rest)) = address.split_once(':') else { return Ok(address) };
        let Kind::Map(openers) = self.settings("openers").kind else { return Ok(address) };
        let scheme_name = self.names.number(scheme);
        let Some(setting) = self.setting(openers, scheme_name)? else { return Ok(address) };
        match setting.kind {
            Kind::Bool(true, _) => Ok(address),
            Kind::Bool(false, _) => {
                let message = format!("documents of `{scheme}:` are not opened: the configuration says so");
                Err(Error::new(Category::NotFound, at, message).used(setting.at))
            }
            _ => {
                let place = to_text(&setting, setting.at)?;
                let folder = self.folder(&place, setting.at);
                Ok(format!("{folder}{}", rest.trim_start_matches('/')))
            }
        }
    }

    /// `configure basicauth`: who asks, for addresses that begin with a `uri`.
    fn with_password(&mut self, address: String) -> Result<String> {
        let Some((scheme @ ("http" | "https"), rest)) = address.split_once("://") else { return Ok(address) };
        let authority = rest.split('/').next().unwrap_or_default();
        let Kind::Map(zones) = self.settings("basicauth").kind else { return Ok(address) };
        if authority.contains('@') {
            return Ok(address);
        }
        for zone in self.keys(zones)?.iter() {
            let Some(Value { kind: Kind::Map(zone), .. }) = self.setting(zones, *zone)? else { continue };
            let Some(uri) = self.setting_text(zone, "uri")? else { continue };
            let uri = uri.trim_end_matches('/');
            let is_below = address.strip_prefix(uri).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            if !is_below || !uri.contains("://") {
                continue;
            }
            let user = self.setting_text(zone, "username")?.unwrap_or_default();
            let password = self.setting_text(zone, "password")?.unwrap_or_default();
            return Ok(format!("{scheme}://{}:{}@{rest}", escaped(&user), escaped(&password)));
        }
        Ok(address)
    }

    fn setting(&mut self, view: ViewId, key: Name) -> Result<Option<Value>> {
        match self.member(view, key)? {
            Some(thunk) => self.force(thunk).map(Some),
            None => Ok(None),
        }
    }

    fn setting_text(&mut self, view: ViewId, key: &str) -> Result<Option<std::rc::Rc<str>>> {
        let key = self.names.number(key);
        match self.setting(view, key)? {
            Some(value) => to_text(&value, value.at).map(Some),
            None => Ok(None),
        }
    }
}

/// A part of an address in which no character has a meaning.
fn escaped(text: &str) -> String {
    let mut made = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            made.push(byte as char);
        } else {
            let _ = write!(made, "%{byte:02X}");
        }
    }
    made
}
