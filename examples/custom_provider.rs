//! Reads templates from a registry in the program instead of from files or the web.
//!
//! A provider determines its addresses and returns their sources. Everything else works as for files: imports are
//! relative to the importing source, profiles are found by name, and problems contain the address.
//!
//! ```text
//! cargo run --example custom_provider
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::sync::Arc;

use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::source::{Address, Provider, ReadError};
use tosca_parse::{Parser, TOSCA};

/// The prefix of the registry's addresses; the rest is a path, as in `registry://all/net/types.yaml`.
const ROOT: &str = "registry://all";

/// The sources by path, and the paths of profiles by name. A real registry would query a database.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    texts: BTreeMap<&'static str, &'static str>,
    profiles: BTreeMap<&'static str, &'static str>,
}

impl Registry {
    /// Creates a registry with a profile of two files, a valid service that uses it, and an invalid one.
    pub(crate) fn new() -> Self {
        let texts = [
            (
                "/net/profile.yaml",
                "tosca_definitions_version: tosca_2_0
profile: org.example.net:1.0
imports: [ types.yaml ]
node_types:
  Router:
    derived_from: Device
    properties:
      ports: { type: integer, default: 4 }
",
            ),
            (
                "/net/types.yaml",
                "tosca_definitions_version: tosca_2_0
node_types:
  Device:
    properties:
      address: { type: string }
",
            ),
            (
                "/services/office.yaml",
                "tosca_definitions_version: tosca_2_0
imports:
- profile: org.example.net:1.0
service_template:
  node_templates:
    router: { type: Router, properties: { address: 10.0.0.1 } }
",
            ),
            (
                "/services/attic.yaml",
                "tosca_definitions_version: tosca_2_0
imports:
- url: ../net/profile.yaml
service_template:
  node_templates:
    router: { type: Router, properties: { addres: 10.0.0.2 } }
",
            ),
        ];
        Self { texts: texts.into(), profiles: [("org.example.net:1.0", "/net/profile.yaml")].into() }
    }

    /// Returns the source at an address.
    fn text(&self, address: &Address) -> Option<&'static str> {
        self.texts.get(address.url()?.path()).copied()
    }
}

impl Provider for Registry {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == "registry"
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.text(address) {
            Some(text) if text.len() as u64 > limit => Err(ReadError::TooLarge { limit }),
            Some(text) => Ok(text.into()),
            None => Err(ReadError::NotFound),
        }
    }

    fn exists(&self, address: &Address) -> bool {
        self.serves(address) && self.text(address).is_some()
    }

    fn profile(&self, name: &str) -> Option<Address> {
        Address::parse(&format!("{ROOT}{}", self.profiles.get(name)?)).ok()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    #[allow(clippy::print_stdout, reason = "a program may print; the library does not")]
    {
        print!("{}", report(Registry::new())?);
    }
    Ok(())
}

/// Returns a report on the services of a registry.
pub(crate) fn report(registry: Registry) -> Result<String, Box<dyn Error>> {
    let services: Vec<&str> = registry.texts.keys().copied().filter(|path| path.starts_with("/services/")).collect();
    // Programs that read untrusted templates disable the network. To reject files too, a provider can serve their
    // addresses.
    let parser = Parser::builder(&TOSCA).provider(Arc::new(registry)).offline(true).build()?;
    let mut report = String::new();
    for service in services {
        let outcome = parser.parse(&format!("{ROOT}{service}"))?;
        writeln!(report, "{service}: {}", if outcome.is_valid() { "valid" } else { "invalid" })?;
        if !outcome.diagnostics.is_empty() {
            write!(report, "{}", Terminal::new(&outcome.diagnostics, &outcome.sources))?;
        }
    }
    Ok(report)
}
