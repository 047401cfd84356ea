//! Templates in archives: how they are found, and protection against malicious archives.

mod any_bytes;
mod artifacts;
mod files;
mod hostile;
mod meta;
mod packing;
mod profiles;

use std::io::{Cursor, Write};
use std::path::Path;

use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::support::{check, codes};
use tosca_parse::diagnostic::render::Concise;
use tosca_parse::normal::Service;
use tosca_parse::source::{ArchiveLimits, MemoryProvider};
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

const META: &str = "CSAR-Version: 2.0\nCreated-By: Ada\nEntry-Definitions: service.yaml\n";
const TYPES: &str = "tosca_definitions_version: tosca_2_0\nnode_types:\n  Server: {}\n";
const SERVICE: &str = "tosca_definitions_version: tosca_2_0\nimports: [ types/x.yaml ]\nservice_template:\n  \
                       node_templates:\n    web: { type: Server }\n";

/// Returns an archive with uncompressed files, so that tests can change their bytes.
fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, text) in files {
        zip.start_file(*name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, text) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        tar.append(&header, text.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    let places: Vec<usize> = (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    assert!(!places.is_empty());
    places.into_iter().for_each(|at| bytes[at..at + to.len()].copy_from_slice(to));
    bytes
}

/// Parses an archive in memory.
fn parse(name: &str, bytes: Vec<u8>) -> Outcome {
    parse_with(name, bytes, ArchiveLimits::default())
}

fn parse_with(name: &str, bytes: Vec<u8>, limits: ArchiveLimits) -> Outcome {
    let memory = MemoryProvider::new();
    let parser = Parser::builder(&TOSCA).provider(std::sync::Arc::new(memory.clone())).archive_limits(limits);
    let parser = parser.offline(true).build().unwrap();
    let address = parser.address(&format!("memory:{name}")).unwrap();
    memory.insert(address.clone(), bytes);
    let outcome = parser.parse_entry(Entry::at(address).verify(true));
    check(&outcome);
    outcome
}

fn lines(outcome: &Outcome) -> String {
    Concise::new(&outcome.diagnostics, &outcome.sources).to_string()
}

fn parser_in(folder: &Path) -> Parser {
    Parser::builder(&TOSCA).directory(folder).offline(true).build().unwrap()
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}
