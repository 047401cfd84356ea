//! The measurements, as a text file that can be committed.

use std::fmt::Write;

/// A run of a tool on a template.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measurement {
    /// Seconds between start and end.
    pub(crate) elapsed: f64,
    /// Seconds over all threads.
    pub(crate) cpu: f64,
    /// The peak of resident memory.
    pub(crate) bytes: f64,
    /// The number of node templates that the tool found.
    pub(crate) nodes: usize,
    /// The number of relationships that the tool has created, if its output contains them.
    pub(crate) relationships: usize,
}

/// The result of the runs of a tool on a template: the lowest values, or the reason of the failure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) version: String,
    pub(crate) shape: String,
    pub(crate) size: usize,
    pub(crate) tool: String,
    pub(crate) turns: usize,
    pub(crate) outcome: Result<Measurement, String>,
}

/// All measurements, with facts about them by name, such as the machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Results {
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) rows: Vec<Row>,
}

const HEADER: &str = "version,shape,size,tool,turns,elapsed s,cpu s,bytes,nodes,relationships,failure";

impl Results {
    pub(crate) fn fact(&self, name: &str) -> &str {
        self.facts.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn find(&self, version: &str, shape: &str, size: usize, tool: &str) -> Option<&Row> {
        let is_wanted =
            |row: &&Row| row.version == version && row.shape == shape && row.size == size && row.tool == tool;
        self.rows.iter().find(is_wanted)
    }

    /// Returns the result of a tool for the next smaller template that was measured.
    pub(crate) fn previous(&self, version: &str, shape: &str, size: usize, tool: &str) -> Option<&Row> {
        let is_smaller =
            |row: &&Row| row.version == version && row.shape == shape && row.tool == tool && row.size < size;
        self.rows.iter().filter(is_smaller).max_by_key(|row| row.size)
    }

    /// Adds rows, in place of those for the same tools and templates.
    pub(crate) fn replace(&mut self, rows: Vec<Row>) {
        let key = |row: &Row| (row.version.clone(), row.shape.clone(), row.size, row.tool.clone());
        self.rows.retain(|known| rows.iter().all(|row| key(row) != key(known)));
        self.rows.extend(rows);
    }

    /// Returns the measurements as comma-separated values after the facts.
    pub(crate) fn write(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.facts {
            let _ = writeln!(text, "# {name}: {value}");
        }
        text += HEADER;
        text.push('\n');
        for Row { version, shape, size, tool, turns, outcome } in &self.rows {
            let _ = write!(text, "{version},{shape},{size},{tool},{turns},");
            let _ = match outcome {
                Ok(Measurement { elapsed, cpu, bytes, nodes, relationships }) => {
                    writeln!(text, "{elapsed:.4},{cpu:.4},{bytes:.0},{nodes},{relationships},")
                }
                Err(reason) => writeln!(text, ",,,,,{}", reason.replace('\n', " ")),
            };
        }
        text
    }

    /// Reads measurements.
    ///
    /// # Errors
    ///
    /// Returns an error if a line is invalid.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut results = Self::default();
        for line in text.lines().filter(|line| *line != HEADER) {
            if let Some((name, value)) = line.strip_prefix("# ").and_then(|fact| fact.split_once(": ")) {
                results.facts.push((name.to_owned(), value.to_owned()));
                continue;
            }
            results.rows.push(read_row(line).ok_or_else(|| format!("invalid line: {line}"))?);
        }
        Ok(results)
    }
}

fn read_row(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.splitn(11, ',').collect();
    let [version, shape, size, tool, turns, elapsed, cpu, bytes, nodes, relationships, failure] = fields[..] else {
        return None;
    };
    let outcome = if elapsed.is_empty() {
        Err(failure.to_owned())
    } else {
        Ok(Measurement {
            elapsed: elapsed.parse().ok()?,
            cpu: cpu.parse().ok()?,
            bytes: bytes.parse().ok()?,
            nodes: nodes.parse().ok()?,
            relationships: relationships.parse().ok()?,
        })
    };
    Some(Row {
        version: version.to_owned(),
        shape: shape.to_owned(),
        size: size.parse().ok()?,
        tool: tool.to_owned(),
        turns: turns.parse().ok()?,
        outcome,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_can_be_read_again() {
        let row = |tool: &str, outcome| Row {
            version: "1.3".to_owned(),
            shape: "wide".to_owned(),
            size: 100,
            tool: tool.to_owned(),
            turns: 3,
            outcome,
        };
        let results = Results {
            facts: vec![("date".to_owned(), "2026-11-26".to_owned()), ("machine".to_owned(), "a: b".to_owned())],
            rows: vec![
                row("validate", Ok(Measurement { elapsed: 0.5, cpu: 0.25, bytes: 1e6, nodes: 100, relationships: 0 })),
                row("puccini", Err("1 problem, such as a, b".to_owned())),
            ],
        };
        assert_eq!(Results::read(&results.write()), Ok(results.clone()));
        assert_eq!(results.fact("machine"), "a: b");
        assert_eq!(results.previous("1.3", "wide", 1_000, "validate"), Some(&results.rows[0]));
        assert_eq!(results.previous("1.3", "wide", 100, "validate"), None);
        let mut replaced = results.clone();
        let newer = row("puccini", Err("more than 60 s".to_owned()));
        replaced.replace(vec![newer.clone()]);
        assert_eq!(replaced.rows, [results.rows[0].clone(), newer]);
        assert!(Results::read("1.3,wide,many").is_err());
    }
}
