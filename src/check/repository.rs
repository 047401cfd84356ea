//! Repositories (2.0, 6.5).

use crate::ard::Kind;
use crate::data::{Judge, Schema, ValueContext};
use crate::entity::{AnyId, Checked, Checks, Id, LocalId, Text, Value};
use crate::grammar::Repository;
use crate::grammar::section::DATA_TYPES;
use crate::grammar::types::DataType;
use crate::grammar::version::V2_0;
use crate::phase::Context;
use crate::phase::read::Reader;
use crate::rules;

impl Checked for Repository {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_repository).after_inheritance(check_credential);
}

/// Checks a credential, which before 2.0 is a value of a normative data type (1.0, 3.5.5).
fn check_credential(repository: &Repository, context: &mut Context<'_>, id: Id<Repository>) {
    let id = id.any();
    let Some(Value(credential)) = repository.credential.filter(|_| context.version(id) < V2_0) else { return };
    // An empty credential means no credential, as in the committee's first implementations.
    let node = context.node(credential).filter(|node| node.kind() == Kind::Map && !node.is_empty());
    let Some(node) = node else { return };
    let name = context.intern("tosca.datatypes.Credential");
    let data_type = context.resolve(id, DATA_TYPES, name).id().and_then(AnyId::cast::<DataType>);
    Judge::new(context, ValueContext::of(id)).check(node, &Schema::of_type(data_type));
}

fn check_repository(repository: &Repository, reader: &mut Reader<'_>, _: LocalId) {
    if let Some(Value(credential)) = repository.credential {
        let node = reader.document().node(credential.node);
        if node.kind() != Kind::Map {
            let problem = reader.wrong_kind(node, "`credential`", "a map");
            problem.help("write `credential: { token: secret }`, for example");
        }
    }
    let Some(Text(url)) = repository.url else { return };
    let node = reader.document().node(url.node);
    // The URL of a repository may be relative to the file, so the check resolves it against an arbitrary base.
    let base = url::Url::parse("file:///");
    let reason = match base.and_then(|base| base.join(node.text())) {
        Err(reason) => Some(reason.to_string()),
        Ok(_) if node.text().trim().contains(char::is_whitespace) && reader.version() >= V2_0 => {
            Some("it contains spaces".to_owned())
        }
        Ok(_) => None,
    };
    if let Some(reason) = reason {
        let message = format!("`{}` is not an address: {reason}", node.text());
        reader
            .problem(&rules::INVALID_URL, node, message)
            .help("write a URL such as `https://example.com/files/`, or a path that is relative to this file");
    }
}
