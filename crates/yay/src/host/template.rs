//! Yay as a syntax of the engine: a document is evaluated, and the phases treat the result like any other document.

use std::cell::RefCell;
use std::rc::Rc;

use tosca_parse_engine::ard::{Assembler, Document, Options};
use tosca_parse_engine::diagnostic::{Diagnostic, SourceId};
use tosca_parse_engine::rules;
use tosca_parse_engine::source::Address;
use tosca_parse_engine::symbol::Interner;
use tosca_parse_engine::syntax::{Input, InputError, Syntax};

use super::assemble::Assembly;
use super::opener::{decrypted, has_extension, is_encrypted, is_local, locate, whole};
use super::problem::{Numbers, diagnostics, shown, tolerated, warnings};
use crate::config::Config;
use crate::data::Data;
use crate::error::Category;
use crate::limits::Limits;
use crate::open::{LoadedDocument, OpenError, Opener};

/// The syntax. Documents are those whose names end with `.yay`.
#[derive(Clone, Debug, Default)]
pub struct Yay {
    limits: Limits,
    search: Vec<Address>,
    inputs: Vec<(String, Data)>,
    gpg: bool,
    environment: Option<bool>,
}

impl Yay {
    /// Sets the limits of evaluations.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds a search folder for included documents.
    #[must_use]
    pub fn search(mut self, folder: &Address) -> Self {
        self.search.push(folder.as_directory());
        self
    }

    /// Gives a value to a name in the documents; see [`Config::input`]. If there are several values, the last one
    /// counts.
    #[must_use]
    pub fn input(mut self, name: impl Into<String>, value: Data) -> Self {
        self.inputs.push((name.into(), value));
        self
    }

    /// Lets documents read environment variables or makes that an error; see [`Config::environment`].
    #[must_use]
    pub fn environment(mut self, allowed: bool) -> Self {
        self.environment = Some(allowed);
        self
    }

    /// Lets documents whose names end with `.gpg` be decrypted by the `gpg` program.
    #[must_use]
    pub fn gpg(mut self, gpg: bool) -> Self {
        self.gpg = gpg;
        self
    }
}

impl Syntax for Yay {
    fn name(&self) -> &'static str {
        "Yay"
    }

    fn claims(&self, address: &Address, _text: &str) -> bool {
        has_extension(address.file_name(), "yay")
    }

    fn read(&self, input: &mut Input<'_>) -> (Document, Vec<Diagnostic>) {
        let own = input.source;
        let numbers = Rc::new(RefCell::new(Numbers::new(own.id())));
        let address = whole(input.address);
        numbers.borrow_mut().note(&address, own.id());
        let assembler = Assembler::new(own.id(), own.text().clone(), input.interner, input.options);
        let opened = LoadedDocument {
            name: own.name().to_owned(),
            address,
            text: own.text().as_bytes().to_vec(),
            labels: Vec::new(),
            remote: input.address.is_remote(),
            hidden: false,
        };
        let beside = EngineOpener { input, numbers: numbers.clone(), gpg: self.gpg };
        let mut config = Config::with_limits(beside, self.limits.clone());
        for folder in &self.search {
            config.search(&folder.to_string());
        }
        for (name, value) in &self.inputs {
            config.input(name, value);
        }
        match self.environment {
            Some(true) => {
                config.environment(|name| std::env::var(name).ok());
            }
            Some(false) => {
                config.refuse_environment();
            }
            None => {}
        }
        config.load_document(&opened);
        finish(&config, assembler, &numbers)
    }

    fn granted(&self) -> &[Address] {
        &self.search
    }
}

/// A configuration as raw data whose nodes have positions.
pub struct Converted {
    /// The data. Values that can't be evaluated are missing, and the document is marked as incomplete.
    pub document: Document,
    /// The problems.
    pub diagnostics: Vec<Diagnostic>,
    /// The sources of positions. The text of secret sources is replaced with spaces.
    pub sources: tosca_parse_engine::source::Sources,
}

/// Evaluates a configuration as raw data.
pub fn document(config: &Config<'_>, interner: &Interner, options: &Options) -> Converted {
    // Source 0 is that of the host's data.
    let assembler = Assembler::new(SourceId(0), "".into(), interner, options);
    let (document, diagnostics) = finish(config, assembler, &Rc::new(RefCell::new(Numbers::same())));
    Converted { document, diagnostics, sources: shown(&config.sources()).0 }
}

fn finish(
    config: &Config<'_>,
    assembler: Assembler<'_>,
    numbers: &Rc<RefCell<Numbers>>,
) -> (Document, Vec<Diagnostic>) {
    let mut assembly = Assembly::new(assembler, numbers.clone());
    let errors = config.root().emit(&mut assembly);
    for name in config.used_inputs() {
        assembly.assembler.takes_input(&name);
    }
    let checked = config.check();
    assembly.assembler.took(config.steps_taken());
    let (sources, numbers) = (config.sources(), numbers.borrow());
    let mut problems = diagnostics(&errors, &sources, &numbers);
    problems.extend(warnings(&checked, &sources, &numbers));
    problems.extend(tolerated(config, &sources, &numbers));
    // Values that were created before a limit was reached may be nested too deeply as well.
    let is_limited = errors.iter().any(|error| error.category() == Category::Limit);
    if let Some(at) = assembly.too_deep.filter(|_| !is_limited) {
        problems.push(Diagnostic::new(&rules::NESTING_TOO_DEEP, at, "maps and lists are nested too deeply"));
    }
    (assembly.finish(errors.is_empty()), problems)
}

/// Access to the documents that the evaluated one includes, through the engine.
struct EngineOpener<'a, 'i> {
    input: &'a mut Input<'i>,
    numbers: Rc<RefCell<Numbers>>,
    gpg: bool,
}

impl Opener for EngineOpener<'_, '_> {
    fn locate(&self, name: &str, base: &str) -> Option<String> {
        locate(name, base)
    }

    fn is_local(&self, address: &str) -> bool {
        is_local(address)
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        self.input.list(self.input.address, folder)
    }

    fn open(&mut self, address: &str) -> Result<LoadedDocument, OpenError> {
        let importer = self.input.address.clone();
        if is_encrypted(address) {
            let (address, bytes) = self.input.include_bytes(&importer, address).map_err(refused)?;
            let here = std::env::current_dir().ok();
            let opened = LoadedDocument {
                name: address.display_name(here.as_deref()),
                address: whole(&address),
                text: bytes,
                labels: Vec::new(),
                remote: address.is_remote(),
                hidden: false,
            };
            return decrypted(opened, self.gpg);
        }
        match self.input.include(&importer, address) {
            Ok(include) => {
                let address = whole(&include.address);
                self.numbers.borrow_mut().note(&address, include.source.id());
                Ok(LoadedDocument {
                    name: include.source.name().to_owned(),
                    address,
                    text: include.source.text().as_bytes().to_vec(),
                    labels: Vec::new(),
                    remote: include.address.is_remote(),
                    hidden: !include.source.is_shown(),
                })
            }
            Err(refusal) => Err(refused(refusal)),
        }
    }
}

fn refused(refusal: InputError) -> OpenError {
    match refusal.rule.code {
        code if code == rules::NOT_FOUND.code => OpenError::Missing,
        code if code == rules::IMPORT_OUTSIDE.code => OpenError::Refused(refusal.message),
        _ => OpenError::Failed(refusal.message),
    }
}
