//! Sources that the Python program provides.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

use pyo3::exceptions::{PyException, PyFileNotFoundError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::source::{Address, Provider, ReadError, check_bucket};

use crate::calls::call;

/// A callable that receives an address and returns bytes or a string, or `None` to leave the source to other providers.
///
/// If it has an attribute `schemes`, it provides all sources with these schemes and no others. It is then not called
/// before a source is read, so that many threads can read at the same time, and also receives the maximum size.
pub(crate) struct Loader {
    callable: Py<PyAny>,
    schemes: Option<Schemes>,
    /// Results for sources that have been requested but not read yet, so that each read calls it only once.
    given: Mutex<Given>,
    /// Its exceptions, with the messages that problems contain, to return the cause of a problem.
    raised: Mutex<Vec<(String, PyErr)>>,
    /// The exception that must end the program, such as `KeyboardInterrupt`.
    ending: Mutex<Option<PyErr>>,
}

/// Results that have not been read yet.
#[derive(Default)]
struct Given {
    results: HashMap<String, Result<Vec<u8>, ReadError>>,
    /// The total size in bytes, with the addresses.
    size: usize,
}

impl Given {
    /// The maximum total size in bytes. Some sources are requested and never read.
    const MAX_SIZE: usize = 64 << 20;

    fn size(address: &str, result: &Result<Vec<u8>, ReadError>) -> usize {
        address.len() + result.as_ref().map_or(0, Vec::len)
    }

    fn insert(&mut self, address: String, result: Result<Vec<u8>, ReadError>) {
        if self.size > Self::MAX_SIZE {
            *self = Self::default();
        }
        self.size += Self::size(&address, &result);
        if let Some(previous) = self.results.insert(address.clone(), result) {
            self.size -= Self::size(&address, &previous);
        }
    }

    fn remove(&mut self, address: &str) -> Option<Result<Vec<u8>, ReadError>> {
        let result = self.results.remove(address)?;
        self.size -= Self::size(address, &result);
        Some(result)
    }
}

/// The sources that a loader reads.
struct Schemes {
    schemes: Vec<String>,
    /// The buckets to which remote documents outside of them may refer.
    buckets: BTreeSet<String>,
}

impl Loader {
    pub(crate) fn new(callable: Bound<'_, PyAny>) -> PyResult<Self> {
        let schemes = match callable.getattr_opt("schemes")? {
            Some(schemes) => {
                let schemes = schemes.extract()?;
                let buckets = callable.getattr_opt("buckets")?.map(|buckets| buckets.extract()).transpose()?;
                Some(Schemes { schemes, buckets: buckets.map(Vec::into_iter).into_iter().flatten().collect() })
            }
            None => None,
        };
        let (given, raised, ending) = (Mutex::default(), Mutex::default(), Mutex::default());
        Ok(Self { callable: callable.unbind(), schemes, given, raised, ending })
    }

    /// Takes the exception that must end the program, so that the caller raises it again.
    pub(crate) fn take_ending(&self) -> Option<PyErr> {
        self.ending.lock().ok()?.take()
    }

    /// Takes the exception that one of the problems reports.
    pub(crate) fn take_raised(&self, problems: &[Diagnostic]) -> Option<PyErr> {
        let mut raised = self.raised.lock().ok()?;
        let is_reported = |message: &str| problems.iter().any(|problem| problem.message.contains(message));
        // One problem has one cause, and the others must not be kept as long as the parser.
        let reported = raised.extract_if(.., |(message, _)| is_reported(message)).collect::<Vec<_>>();
        reported.into_iter().next().map(|(_, error)| error)
    }

    /// Returns the source at an address; `None` if the callable leaves it to other providers.
    fn load(&self, address: &Address) -> Option<Result<Vec<u8>, ReadError>> {
        Python::try_attach(|py| {
            let arguments = (address.to_string(),).into_pyobject(py);
            self.outcome(py, arguments.and_then(|arguments| call(self.callable.bind(py), arguments)))
        })
        .unwrap_or_else(|| Some(Err(ended())))
    }

    /// Reads a source with one of the loader's schemes.
    fn read_scheme(&self, address: &Address, limit: u64, schemes: &Schemes) -> Result<Vec<u8>, ReadError> {
        check_bucket(address, &schemes.buckets)?;
        Python::try_attach(|py| {
            let arguments = (address.to_string(), limit).into_pyobject(py);
            self.outcome(py, arguments.and_then(|arguments| call(self.callable.bind(py), arguments)))
        })
        .unwrap_or_else(|| Some(Err(ended())))
        .unwrap_or(Err(ReadError::NotFound))
    }

    fn outcome(&self, py: Python<'_>, called: PyResult<Py<PyAny>>) -> Option<Result<Vec<u8>, ReadError>> {
        match called {
            Ok(found) => bytes(found.bind(py)).transpose(),
            Err(error) if self.schemes.is_some() && error.is_instance_of::<PyFileNotFoundError>(py) => {
                Some(Err(ReadError::NotFound))
            }
            Err(error) if !error.is_instance_of::<PyException>(py) => {
                let message = format!("the loader raised {error}");
                if let Ok(mut ending) = self.ending.lock() {
                    ending.get_or_insert(error);
                }
                Some(Err(ReadError::Io(message)))
            }
            Err(error) => {
                let message = format!("the loader raised {error}");
                if let Ok(mut raised) = self.raised.lock()
                    && raised.len() < MAX_RAISED
                {
                    raised.push((message.clone(), error));
                }
                Some(Err(ReadError::Io(message)))
            }
        }
    }

    /// Requests a source, and keeps it until it is read.
    fn ask<T>(&self, address: &Address, of: impl FnOnce(Option<&Result<Vec<u8>, ReadError>>) -> T) -> T {
        let key = address.to_string();
        let known = self.given.lock().is_ok_and(|given| given.results.contains_key(&key));
        let found = if known { None } else { self.load(address) };
        match self.given.lock() {
            Ok(mut given) => {
                if let Some(found) = found {
                    given.insert(key.clone(), found);
                }
                of(given.results.get(&key))
            }
            Err(_) => of(found.as_ref()),
        }
    }
}

fn ended() -> ReadError {
    ReadError::Io("the interpreter has ended".to_owned())
}

/// The maximum number of exceptions that are kept for callers.
const MAX_RAISED: usize = 100;

fn bytes(found: &Bound<'_, PyAny>) -> Result<Option<Vec<u8>>, ReadError> {
    if found.is_none() {
        Ok(None)
    } else if let Ok(bytes) = found.cast::<PyBytes>() {
        Ok(Some(bytes.as_bytes().to_vec()))
    } else if let Ok(text) = found.cast::<PyString>() {
        let text = text.to_str().map_err(|error| ReadError::Io(error.to_string()))?;
        Ok(Some(text.as_bytes().to_vec()))
    } else {
        let kind = found.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        Err(ReadError::Io(format!("the loader returned a value of type `{kind}`, not bytes or a string")))
    }
}

/// Sources that the loader does not know are read like all others.
impl Provider for Loader {
    fn serves(&self, address: &Address) -> bool {
        if let Some(Schemes { schemes, .. }) = &self.schemes {
            return schemes.iter().any(|scheme| scheme == address.scheme());
        }
        self.ask(address, |found| found.is_some())
    }

    fn is_slow(&self, _: &Address) -> bool {
        // It waits for the interpreter's lock, which a computing thread should not do.
        true
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        if let Some(schemes) = &self.schemes {
            let bytes = self.read_scheme(address, limit, schemes)?;
            return if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) };
        }
        let given = self.given.lock().ok().and_then(|mut given| given.remove(&address.to_string()));
        let bytes = given.or_else(|| self.load(address)).unwrap_or(Err(ReadError::NotFound))?;
        if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) }
    }

    fn exists(&self, address: &Address) -> bool {
        if let Some(schemes) = &self.schemes {
            return self.serves(address)
                && check_bucket(address, &schemes.buckets).is_ok()
                && Python::try_attach(|py| -> PyResult<bool> {
                    let exists = self.callable.bind(py).getattr("exists")?;
                    call(&exists, (address.to_string(),).into_pyobject(py)?)?.is_truthy(py)
                })
                .is_some_and(|found| found.unwrap_or(false));
        }
        self.ask(address, |found| matches!(found, Some(Ok(_))))
    }
}
