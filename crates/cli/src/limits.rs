//! The list of read limits.

use std::io;

use super::ExitStatus;
use super::args::{Listed, Listing};
use super::streams::Streams;
use tosca_parse_config::{KnownLimit, LimitUnit, limits};

/// Prints all limits with their defaults.
pub(super) fn list(listed: Listed, streams: &mut Streams) -> io::Result<ExitStatus> {
    if listed.format == Listing::Json {
        let one = |known: &KnownLimit| {
            serde_json::json!({
                "name": known.name,
                "summary": known.summary,
                "unit": match known.unit {
                    LimitUnit::Bytes => Some("bytes"),
                    LimitUnit::Seconds => Some("seconds"),
                    LimitUnit::Times => None,
                },
                "default": known.default_value(),
                "minimum": known.least,
                "maximum": known.most,
            })
        };
        return super::reference::json(&limits().iter().map(one).collect::<Vec<_>>(), streams);
    }
    let width = limits().iter().map(|known| known.name.len()).max().unwrap_or(0);
    for known in limits() {
        let value = known.unit.show(known.default_value());
        writeln!(streams.out(), "{:width$}  {value:>8}  {}", known.name, known.summary)?;
    }
    Ok(ExitStatus::Valid)
}
