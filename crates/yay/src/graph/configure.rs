//! Settings for opening documents: `configure openers` and `configure basicauth`.

use std::fmt::Write;

use super::view::Older;
use super::{Graph, ViewId};
use crate::error::{Category, Error, Result};
use crate::evaluate::to_text;
use crate::name::Name;
use crate::source::Span;
use crate::value::{Kind, MASK, Value};

impl Graph<'_> {
    /// Returns the settings of a section in all documents that were read so far, as a mapping.
    pub(crate) fn settings(&mut self, section: &str) -> Value {
        let name = self.loaded.names.number(section);
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

    /// Applies the settings to an address: the replacement of its scheme by an opener, and a user name and a password.
    /// Documents that the settings themselves include are opened without them. Also returns whether the settings make
    /// the address a secret.
    pub(super) fn configured_address(&mut self, address: String, secret: bool, at: Span) -> Result<(String, bool)> {
        let configured = self.with_settings(|graph| {
            let (address, by_setting) = graph.opened_by(&address, secret, at)?.unwrap_or((address.clone(), false));
            graph.check_scheme(&address, secret || by_setting, at)?;
            Ok((graph.with_password(address)?, by_setting))
        });
        configured.unwrap_or(Ok((address, false)))
    }

    /// Returns the address for a name with a scheme that the settings define, such as `models:base.yay`.
    pub(super) fn configured_name(&mut self, name: &str, secret: bool, at: Span) -> Result<Option<(String, bool)>> {
        let configured = self.with_settings(|graph| {
            let Some((address, by_setting)) = graph.opened_by(name, secret, at)? else { return Ok(None) };
            graph.check_scheme(&address, secret || by_setting, at)?;
            Ok(Some((graph.with_password(address)?, by_setting)))
        });
        configured.unwrap_or(Ok(None))
    }

    /// Reads settings, if there are any and they are not being read already.
    fn with_settings<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Option<Result<T>> {
        if self.configured.is_empty() || self.configuring {
            return None;
        }
        self.configuring = true;
        let result = run(self);
        self.configuring = false;
        Some(result)
    }

    /// Returns the replacement of an address by `configure openers`; `None` if its scheme has none.
    fn opened_by(&mut self, address: &str, secret: bool, at: Span) -> Result<Option<(String, bool)>> {
        let Some((scheme, rest)) = address.split_once(':') else { return Ok(None) };
        let Kind::Map(openers) = self.settings("openers").kind else { return Ok(None) };
        let scheme_name = self.loaded.names.number(scheme);
        let Some(setting) = self.setting(openers, scheme_name)? else { return Ok(None) };
        match setting.kind {
            Kind::Bool(true, _) => Ok(None),
            Kind::Bool(false, _) => Err(forbidden(scheme, secret, at).used(setting.at)),
            _ => {
                let place = to_text(&setting, setting.at)?;
                let folder = self.folder(&place, setting.at);
                Ok(Some((format!("{folder}{}", rest.trim_start_matches('/')), setting.is_secret())))
            }
        }
    }

    /// Fails if the scheme of an address is forbidden, also for the documents of an opener.
    fn check_scheme(&mut self, address: &str, secret: bool, at: Span) -> Result<()> {
        let Some((scheme, _)) = address.split_once(':') else { return Ok(()) };
        let Kind::Map(openers) = self.settings("openers").kind else { return Ok(()) };
        let name = self.loaded.names.number(scheme);
        match self.setting(openers, name)? {
            Some(Value { kind: Kind::Bool(false, _), at: place, .. }) => Err(forbidden(scheme, secret, at).used(place)),
            _ => Ok(()),
        }
    }

    /// Returns the address with the user and password of `configure basicauth`.
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
        let key = self.loaded.names.number(key);
        match self.setting(view, key)? {
            Some(value) => to_text(&value, value.at).map(Some),
            None => Ok(None),
        }
    }
}

fn forbidden(scheme: &str, secret: bool, at: Span) -> Error {
    let shown = if secret { MASK } else { scheme };
    let message = format!("the configuration forbids opening documents with the scheme `{shown}:`");
    Error::new(Category::NotFound, at, message)
}

/// Escapes part of an address so that no character in it has a special meaning.
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
