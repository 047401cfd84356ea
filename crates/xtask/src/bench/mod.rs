//! Comparison with other tools on generated templates; `docs/benchmarks.md` describes it.
//!
//! ```sh
//! cargo xtask bench compare [--program PATH] [--shapes NAME,…] [--sizes N,…] [--turns N]
//!     [--tools NAME,…] [--minutes N] [--remark TEXT] [--append] [--record]
//! cargo xtask bench generate SHAPE VERSION SIZE FOLDER
//! ```

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "measured numbers are positive and not that large"
)]

mod chart;
mod report;
mod results;
mod shapes;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use results::{Measurement, Results, Row};
use shapes::{SHAPES, Shape, Template, VERSIONS, Version};

use crate::process::{Outcome, cargo, exists, output, program, root, run as start, succeeds, target};

/// The limit on the CPU time of a run, in seconds.
const MAX_SECONDS: f64 = 60.0;

/// The limit on the resident memory of a run, in bytes.
const MAX_BYTES: f64 = 6e9;

/// The time after which the runs of a tool on a template are not repeated.
const REPEATED: Duration = Duration::from_secs(5);

const MEASUREMENTS: &str = "benches/compare/results.csv";
const PAGE: &str = "docs/benchmarks.md";
const BEGIN: &str = "<!-- results -->\n";
const END: &str = "<!-- end of results -->\n";

const USAGE: &str = "usage: cargo xtask bench compare [--program PATH] [--shapes NAME,…] [--sizes N,…] [--turns N] \
                     [--tools NAME,…] [--minutes N] [--remark TEXT] [--append] [--record], cargo xtask bench report, \
                     cargo xtask bench generate SHAPE VERSION SIZE FOLDER";

/// A program or library with a task.
struct Tool {
    name: &'static str,
    title: &'static str,
    /// The arguments of `tosca-parse` before the file, or `None` for a library for Python.
    arguments: Option<&'static [&'static str]>,
    /// Where `measure.py` finds the number of node templates.
    count: &'static str,
    color: &'static str,
    /// Whether the task includes the search of nodes for open requirements.
    resolves: bool,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "validate",
        title: "tosca-parse",
        arguments: Some(&["--offline", "--no-config"]),
        count: "summary",
        color: "#1f77b4",
        resolves: false,
    },
    Tool {
        name: "model",
        title: "tosca-parse --emit json",
        arguments: Some(&["--offline", "--no-config", "--quiet", "--emit", "json"]),
        count: "model",
        color: "#17a2b8",
        resolves: false,
    },
    Tool {
        name: "resolve",
        title: "tosca-parse resolve --emit json",
        arguments: Some(&["resolve", "--offline", "--no-config", "--quiet", "--emit", "json"]),
        count: "model",
        color: "#17a2b8",
        resolves: true,
    },
    Tool {
        name: "pyyaml",
        title: "PyYAML (C), YAML alone",
        arguments: None,
        count: "printed",
        color: "#7f7f7f",
        resolves: false,
    },
    Tool {
        name: "tosca-parser",
        title: "tosca-parser",
        arguments: None,
        count: "printed",
        color: "#d62728",
        resolves: false,
    },
    Tool { name: "puccini", title: "Puccini", arguments: None, count: "printed", color: "#e08a00", resolves: false },
    Tool {
        name: "puccini-resolve",
        title: "Puccini, resolving",
        arguments: None,
        count: "printed",
        color: "#e08a00",
        resolves: true,
    },
];

/// The packages of the peers, and the modules that must be importable.
const PEERS: &[(&str, &str)] = &[("PyYAML", "yaml"), ("tosca-parser", "toscaparser"), ("puccini", "puccini.tosca")];

fn tool(name: &str) -> &'static Tool {
    TOOLS.iter().find(|tool| tool.name == name).unwrap_or(&TOOLS[0])
}

/// Runs a command of `cargo xtask bench`.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    match arguments {
        ["compare", options @ ..] => compare(&Options::read(options)?),
        ["report"] => render(&read(MEASUREMENTS)?),
        ["generate", shape, version, size, folder] => {
            let shape = shapes::shape(shape).ok_or_else(|| format!("there is no shape `{shape}`"))?;
            let version = shapes::version(version).ok_or_else(|| format!("there is no version `{version}`"))?;
            let size = size.parse().map_err(|_| format!("`{size}` is not a number"))?;
            let (entry, template) = generate(Path::new(folder), shape, version, size)?;
            println!("{}: {} node templates", entry.display(), template.nodes);
            Ok(())
        }
        _ => Err(USAGE.to_owned()),
    }
}

struct Options {
    /// The program to measure; `None` for a build with the profile `dist`.
    program: Option<PathBuf>,
    shapes: Vec<&'static Shape>,
    /// The sizes of all shapes; `None` for those of each shape.
    sizes: Option<Vec<usize>>,
    turns: usize,
    tools: Vec<&'static Tool>,
    /// The time after which no further size is started.
    time: Duration,
    remark: String,
    /// Whether results for other templates and tools are kept.
    is_appended: bool,
    is_recorded: bool,
}

impl Options {
    fn read(arguments: &[&str]) -> Result<Self, String> {
        let mut options = Self {
            program: None,
            shapes: SHAPES.iter().collect(),
            sizes: None,
            turns: 5,
            time: Duration::from_secs(600),
            tools: TOOLS.iter().collect(),
            remark: String::new(),
            is_appended: false,
            is_recorded: false,
        };
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            match *name {
                "--append" => options.is_appended = true,
                "--record" => options.is_recorded = true,
                _ => options.set(name, arguments.next().ok_or(USAGE)?)?,
            }
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &str) -> Outcome {
        let number = |text: &str| text.parse::<usize>().map_err(|_| format!("`{text}` is not a number"));
        match name {
            "--program" => self.program = Some(root().join(value)),
            "--shapes" => {
                let find = |name| shapes::shape(name).ok_or_else(|| format!("there is no shape `{name}`"));
                self.shapes = value.split(',').map(find).collect::<Result<_, _>>()?;
            }
            "--tools" => {
                let find = |name| {
                    TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| format!("there is no tool `{name}`"))
                };
                self.tools = value.split(',').map(find).collect::<Result<_, _>>()?;
            }
            "--sizes" => self.sizes = Some(value.split(',').map(number).collect::<Result<_, _>>()?),
            "--turns" => self.turns = number(value)?.max(1),
            "--minutes" => self.time = Duration::from_secs(60 * number(value)? as u64),
            "--remark" => value.clone_into(&mut self.remark),
            _ => return Err(USAGE.to_owned()),
        }
        Ok(())
    }
}

/// Measures all tools, and writes tables and charts.
fn compare(options: &Options) -> Outcome {
    let python = install_peers()?;
    let program = match &options.program {
        Some(program) => program.clone(),
        None => {
            cargo("build --profile dist --package tosca-parse-cli --locked")?;
            target().join("dist/tosca-parse")
        }
    };
    let runner = Runner { program, python: Some(python), folder: target().join("compare") };
    let mut results = Results { facts: runner.facts(&options.remark)?, rows: Vec::new() };
    let file = runner.folder.join("results.csv");
    if options.is_appended {
        results.rows = Results::read(&read_file(&file)?)?.rows;
    }
    measure(&runner, options, &mut results)?;
    if options.is_recorded {
        write(&root().join(MEASUREMENTS), &results.write())?;
        render(&results)?;
    }
    for version in VERSIONS {
        write(&runner.folder.join(format!("{}.svg", version.name)), &chart::draw(&results, version.name))?;
    }
    write(&runner.folder.join("results.md"), &report::tables(&results))?;
    println!("{}", runner.folder.join("results.md").display());
    Ok(())
}

/// Measures templates in order of size, so that a tool that fails is not run with larger ones.
fn measure(runner: &Runner, options: &Options, results: &mut Results) -> Outcome {
    let begin = Instant::now();
    let sizes_of = |shape: &Shape| options.sizes.clone().unwrap_or_else(|| shape.sizes.to_vec());
    let rounds = options.shapes.iter().map(|shape| sizes_of(shape).len()).max().unwrap_or_default();
    for round in 0..rounds {
        for shape in &options.shapes {
            let Some(size) = sizes_of(shape).get(round).copied() else { continue };
            for version in VERSIONS {
                if begin.elapsed() > options.time {
                    println!("out of time: {} of size {size} and larger sizes are not measured", shape.name);
                    return Ok(());
                }
                // Time that grows in proportion to the size would exceed the limit.
                let can_succeed = |tool: &&Tool| {
                    let previous = results.previous(version.name, shape.name, size, tool.name);
                    previous.is_none_or(|row| match &row.outcome {
                        Ok(found) => found.cpu * size as f64 / row.size as f64 <= MAX_SECONDS,
                        Err(_) => false,
                    })
                };
                let remaining: Vec<&Tool> = options.tools.iter().copied().filter(can_succeed).collect();
                let rows = runner.measure(shape, *version, size, &remaining, options.turns)?;
                results.replace(rows);
                write(&runner.folder.join("results.csv"), &results.write())?;
            }
        }
    }
    Ok(())
}

/// Programs and folders.
struct Runner {
    program: PathBuf,
    /// The interpreter with the packages of the peers, if they are installed.
    python: Option<PathBuf>,
    folder: PathBuf,
}

impl Runner {
    /// Returns the machine, the date and the versions.
    fn facts(&self, remark: &str) -> Result<Vec<(String, String)>, String> {
        let mut facts = vec![
            ("date".to_owned(), output(&mut program("date", "-u +%F"))?.trim().to_owned()),
            (
                "machine".to_owned(),
                output(program("python3", "").arg(script("measure.py")).arg("machine"))?.trim().to_owned(),
            ),
            ("remark".to_owned(), remark.to_owned()),
        ];
        let own = output(program(&self.program, "--version").current_dir(root()))?;
        facts.push(("tosca-parse".to_owned(), own.trim().trim_start_matches("tosca-parse ").to_owned()));
        if let Some(python) = &self.python {
            for (package, _) in PEERS {
                let code = format!("import importlib.metadata as m; print(m.version('{package}'))");
                let version = output(program(python, "-c").arg(code))?;
                facts.push(((*package).to_owned(), version.trim().to_owned()));
            }
        }
        Ok(facts)
    }

    /// Measures tools in turns on a template, and returns the lowest values of each.
    fn measure(
        &self,
        shape: &Shape,
        version: Version,
        size: usize,
        tools: &[&Tool],
        turns: usize,
    ) -> Result<Vec<Row>, String> {
        let folder = self.folder.join(format!("{}-{}-{size}", shape.name, version.name));
        let (entry, template) = generate(&folder, shape, version, size)?;
        let mut rows: Vec<Row> = Vec::new();
        let mut spent = vec![Duration::ZERO; tools.len()];
        for turn in 0..turns {
            for (tool, spent) in tools.iter().zip(&mut spent) {
                let known = rows.iter_mut().find(|row| row.tool == tool.name);
                if *spent > REPEATED || known.as_deref().is_some_and(|row| row.outcome.is_err()) {
                    continue;
                }
                let begin = Instant::now();
                let outcome = self.measure_once(tool, &entry)?.and_then(|found| check(tool, found, &template));
                *spent += begin.elapsed();
                if turn == 0 {
                    let shown = match &outcome {
                        Ok(found) => format!("{:.3} s, {:.0} MB", found.cpu, found.bytes / 1e6),
                        Err(reason) => reason.clone(),
                    };
                    println!("{} {} {size}, {}: {shown}", shape.name, version.name, tool.name);
                }
                match known {
                    Some(row) => {
                        row.turns += 1;
                        row.outcome = lowest(&row.outcome, outcome);
                    }
                    None => rows.push(Row {
                        version: version.name.to_owned(),
                        shape: shape.name.to_owned(),
                        size,
                        tool: tool.name.to_owned(),
                        turns: 1,
                        outcome,
                    }),
                }
            }
        }
        let _ = fs::remove_dir_all(&folder);
        Ok(rows)
    }

    /// Runs a tool once. The inner error is the reason of its failure.
    fn measure_once(&self, tool: &Tool, entry: &Path) -> Result<Result<Measurement, String>, String> {
        let mut command = program("python3", "");
        command.arg(script("measure.py")).args([MAX_SECONDS.to_string(), MAX_BYTES.to_string(), tool.count.to_owned()]);
        match (tool.arguments, &self.python) {
            (Some(arguments), _) => {
                command.arg(&self.program).args(arguments).arg(entry);
                if tool.count == "model" {
                    command.arg("--output").arg(entry.with_extension("json"));
                }
            }
            (None, Some(python)) => {
                command.args([python.as_os_str(), script("peers.py").as_os_str()]).arg(tool.name).arg(entry);
            }
            (None, None) => return Ok(Err("not installed".to_owned())),
        }
        read_run(output(&mut command)?.trim())
    }
}

/// Reads the line that `measure.py` prints.
fn read_run(line: &str) -> Result<Result<Measurement, String>, String> {
    if let Some(reason) = line.strip_prefix("failed ") {
        return Ok(Err(reason.to_owned()));
    }
    let fields: Vec<f64> = line.split(' ').skip(1).filter_map(|field| field.parse().ok()).collect();
    match fields[..] {
        [elapsed, cpu, bytes, nodes, relationships] => {
            let (nodes, relationships) = (nodes as usize, relationships as usize);
            Ok(Ok(Measurement { elapsed, cpu, bytes, nodes, relationships }))
        }
        _ => Err(format!("measure.py: {line}")),
    }
}

/// Returns an error if a tool has not found all node templates, or has not fulfilled all requirements if that is its
/// task: a run that does no work is no result.
fn check(tool: &Tool, found: Measurement, template: &Template) -> Result<Measurement, String> {
    if found.nodes != template.nodes {
        return Err(format!("found {} of {} node templates", found.nodes, template.nodes));
    }
    if tool.resolves && found.relationships != template.relationships {
        return Err(format!("created {} of {} relationships", found.relationships, template.relationships));
    }
    Ok(found)
}

/// Returns the lowest values of two runs, or the failure of the later one.
fn lowest(known: &Result<Measurement, String>, outcome: Result<Measurement, String>) -> Result<Measurement, String> {
    let (known, found) = (known.clone()?, outcome?);
    Ok(Measurement {
        elapsed: known.elapsed.min(found.elapsed),
        cpu: known.cpu.min(found.cpu),
        bytes: known.bytes.min(found.bytes),
        ..found
    })
}

/// Writes a template and returns the path of its entry.
fn generate(folder: &Path, shape: &Shape, version: Version, size: usize) -> Result<(PathBuf, Template), String> {
    let template = shape.make(version, size);
    for (path, text) in &template.files {
        write(&folder.join(path), text)?;
    }
    Ok((folder.join("service.yaml"), template))
}

fn script(name: &str) -> OsString {
    root().join("benches/compare").join(name).into()
}

/// Installs the peers below the folder of build products, and returns the interpreter that has them.
fn install_peers() -> Result<PathBuf, String> {
    let folder = target().join("peers");
    let python = folder.join("bin/python");
    if installed_peers().is_none() {
        start(program("python3", "-m venv").arg(&folder))?;
        let pip = "-m pip install --quiet --disable-pip-version-check --only-binary puccini --requirement";
        start(program(&python, pip).arg(script("requirements.txt")))?;
    }
    installed_peers().ok_or_else(|| "the peers can't be imported after their installation".to_owned())
}

/// Returns the interpreter that has the peers, if they are installed.
fn installed_peers() -> Option<PathBuf> {
    let python = target().join("peers/bin/python");
    let imports: Vec<String> = PEERS.iter().map(|(_, module)| format!("import {module}")).collect();
    succeeds(program(&python, "-c").arg(imports.join("; "))).then_some(python)
}

/// Writes the charts, and the tables of the page.
fn render(results: &Results) -> Outcome {
    for version in VERSIONS {
        write(&chart_path(version.name), &chart::draw(results, version.name))?;
    }
    let page = read_file(&root().join(PAGE))?;
    write(&root().join(PAGE), &with_tables(&page, results)?)
}

fn chart_path(version: &str) -> PathBuf {
    root().join(format!("examples/pictures/benchmarks-{version}.svg"))
}

/// Returns the page with the tables of the measurements.
fn with_tables(page: &str, results: &Results) -> Result<String, String> {
    let missing = || format!("{PAGE} does not mark the place of the results");
    let (before, rest) = page.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}\n{}\n{END}{after}", report::tables(results)))
}

fn read(path: &str) -> Result<Results, String> {
    Results::read(&read_file(&root().join(path))?)
}

fn read_file(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("can't read {}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Outcome {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("can't write {}: {error}", path.display()))
}

/// Runs the debug build once on a small template of each shape, and the peers on one shape if they are installed.
///
/// # Errors
///
/// Returns an error if a tool fails on a template that it must read.
pub(crate) fn smoke() -> Result<Option<String>, String> {
    if !exists("python3") {
        return Ok(Some("there is no Python".to_owned()));
    }
    let runner = Runner {
        program: target().join("debug/tosca-parse"),
        python: installed_peers(),
        folder: target().join("compare-smoke"),
    };
    let is_own = |tool: &&Tool| tool.arguments.is_some();
    let own: Vec<&Tool> = TOOLS.iter().filter(is_own).collect();
    let mut rows = Vec::new();
    for version in VERSIONS {
        for shape in SHAPES {
            let tools = if shape.name == "wide" { &own[..] } else { &own[..1] };
            rows.extend(runner.measure(shape, *version, shape.sizes[1], tools, 1)?);
        }
    }
    if runner.python.is_some() {
        // tosca-parser reads only the first version, and Puccini is faster with the second.
        let peers = TOOLS.iter().filter(|tool| !is_own(tool));
        let (slow, fast): (Vec<&Tool>, Vec<&Tool>) = peers.partition(|tool| tool.name.starts_with("puccini"));
        for (version, tools) in VERSIONS.iter().zip([fast, slow]) {
            rows.extend(runner.measure(&SHAPES[0], *version, SHAPES[0].sizes[0], &tools, 1)?);
        }
    }
    if let Some(Row { version, shape, tool, outcome: Err(reason), .. }) = rows.iter().find(|row| row.outcome.is_err()) {
        return Err(format!("{tool} on {shape} {version}: {reason}"));
    }
    let is_missing = runner.python.is_none();
    Ok(is_missing.then(|| "the peers are not installed; `cargo xtask bench compare` installs them".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_read_and_checked() {
        let found = read_run("ok 0.5 0.25 20000000 100 60").expect("a valid line").expect("a success");
        assert_eq!(found, Measurement { elapsed: 0.5, cpu: 0.25, bytes: 2e7, nodes: 100, relationships: 60 });
        let checked = |tool_name, nodes, relationships| {
            check(tool(tool_name), found.clone(), &Template { files: Vec::new(), nodes, relationships })
        };
        assert_eq!(checked("resolve", 100, 60), Ok(found.clone()));
        assert_eq!(checked("model", 100, 120), Ok(found.clone()));
        assert_eq!(checked("model", 101, 60), Err("found 100 of 101 node templates".to_owned()));
        assert_eq!(checked("resolve", 100, 120), Err("created 60 of 120 relationships".to_owned()));
        assert_eq!(read_run("failed more than 60 s"), Ok(Err("more than 60 s".to_owned())));
        assert!(read_run("ok").is_err());
    }

    #[test]
    fn lowest_values_of_several_runs_count() {
        let run = |elapsed, cpu, bytes| Ok(Measurement { elapsed, cpu, bytes, nodes: 1, relationships: 0 });
        assert_eq!(lowest(&run(2.0, 1.0, 3.0), run(1.0, 2.0, 4.0)), run(1.0, 1.0, 3.0));
        let failure = Err("more than 6 GB".to_owned());
        assert_eq!(lowest(&run(2.0, 1.0, 3.0), failure.clone()), failure);
    }

    #[test]
    fn options_are_checked() {
        let options =
            Options::read(&["--shapes", "wide,types", "--sizes", "10,20", "--record"]).expect("valid options");
        assert_eq!((options.shapes.len(), options.sizes, options.is_recorded), (2, Some(vec![10, 20]), true));
        assert!(Options::read(&["--shapes", "round"]).is_err_and(|error| error.contains("`round`")));
        assert!(Options::read(&["--turns"]).is_err());
    }

    #[test]
    fn page_and_charts_show_the_measurements() {
        let results = read(MEASUREMENTS).expect("there are measurements");
        let page = read_file(&root().join(PAGE)).expect("there is a page");
        let remedy = "run `cargo xtask bench report`";
        assert_eq!(with_tables(&page, &results).as_ref(), Ok(&page), "{remedy}");
        for version in VERSIONS {
            let chart = read_file(&chart_path(version.name)).expect("there is a chart");
            assert_eq!(chart, chart::draw(&results, version.name), "{remedy}");
        }
    }
}
