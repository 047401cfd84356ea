//! Writes an index: tables of templates, types and their uses.
//!
//! Templates are parsed in parallel, and their rows are added in the order of the templates, so an index depends only on
//! the files. A file that several templates import has its rows once.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use foldhash::HashSet;

use super::ExitStatus;
use super::args::{Index as Arguments, RuleOverrides};
use super::dirs::shown;
use super::entries::entries;
use super::ordered_parallel::map_in_order;
use super::output;
use super::overview::{plural, profile};
use super::parsers::Readers;
use super::problem_table::written;
use super::progress::Progress as Bar;
use super::streams::Streams;
use super::total_imports::{TotalImports, counting_imports};
use super::validate::{Mode, misused, parse_with_additional};
use tosca_parse::ard::Node;
use tosca_parse::diagnostic::render::{Document, sanitize};
use tosca_parse::diagnostic::{Secrets, Span, Summary, mask_credentials};
use tosca_parse::entity::{AnyId, FieldDescription, Keyname, Role};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::phase::{Program, Unit};
use tosca_parse::source::replace::replace_all;
use tosca_parse::source::{BUILTIN, ImportTarget};
use tosca_parse::{Entry, Parser, Phase, Progress, Stage, TOSCA};
use tosca_parse_config::here;
use tosca_parse_tables::table::{File, Import, Problem, Substitution, TABLES, Template, Type, Use};
use tosca_parse_tables::{Error, Index, Writer, is_index};

/// The name of the `SQLite` file in the folder of an index.
pub(super) const NAME: &str = "index.sqlite";

/// The maximum length of a string in a table, in bytes. Longer ones are cut.
const MAX_TEXT: usize = 4096;

/// Writes an index of templates.
pub(super) fn run(arguments: &Arguments, streams: &mut Streams) -> io::Result<ExitStatus> {
    let wishes = RuleOverrides::default();
    let mut readers = Readers::new(&arguments.reading, &wishes, arguments.jobs);
    let place = match Place::of(&arguments.output) {
        Ok(place) => place,
        Err(message) => return misused(streams, &message),
    };
    let list = match entries(&arguments.files, &mut readers)? {
        Ok(entries) => entries.list,
        Err(refusal) => return refusal.report(streams),
    };
    let limits = match readers.settings(&here()) {
        Ok(settings) => settings.bounds.clone(),
        Err(message) => return misused(streams, &message),
    };
    readers.report(streams)?;
    let folder = tempfile::tempdir()?;
    let database = folder.path().join(NAME);
    let parsers = readers.parsers();
    let threads = parsers.first().filter(|_| list.len() > 1).map_or(1, Parser::threads);
    let known: Mutex<HashSet<String>> = Mutex::default();
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    let bar = Bar::new("files", !arguments.quiet);
    let (count, mut done) = (list.len(), 0);
    let total = TotalImports::new(limits.run.imports);
    let limits = limits.index;
    let mut sum = Totals::default();
    let mut writer = Writer::create(&database).map_err(written)?;
    let collect = |entry: (usize, Entry)| -> (Vec<Rows>, usize) {
        let parsed = parse_with_additional(&parsers, entry, Phase::Rendering, Mode::Validate, &total);
        let rows = |(progress, _): (Progress, _)| Rows::of(&progress, limits.strings, |file| !lock().contains(file));
        let mut unread = 0;
        let read = parsed.filter_map(|parsed| parsed.map_err(|_| unread += 1).ok());
        (read.filter_map(rows).collect(), unread)
    };
    let parse = |entry: (usize, Entry)| {
        let rows = if total.is_exceeded() { Default::default() } else { collect(entry.clone()) };
        (rows, entry)
    };
    let take = |((mut rows, unread), entry): ((Vec<Rows>, usize), _)| {
        done += 1;
        bar.show(done, count);
        if total.is_exceeded() {
            sum.unread += 1;
            return Ok(());
        }
        sum.unread += unread;
        total.count(rows.iter().map(|rows| rows.imports).sum());
        // Too many rows may be those of files that have been written in the meantime.
        if rows.iter().any(|rows| rows.is_cut) {
            (rows, _) = collect(entry);
        }
        for mut rows in rows {
            // Two threads may have read the same file.
            rows.files.retain(|file| !lock().contains(&file.row.file));
            if rows.is_cut {
                sum.too_large += 1;
            } else if writer.rows() + rows.count() > limits.rows {
                sum.too_many += 1;
            } else {
                lock().extend(rows.files.iter().map(|file| file.row.file.clone()));
                sum.add(&rows);
                rows.write(&mut writer).map_err(written)?;
            }
        }
        Ok(())
    };
    map_in_order(list, threads, parse, take)?;
    writer.finish().map_err(written)?;
    drop(bar);
    place.write(&database).map_err(written)?;
    let Totals { templates, types, uses, too_many, too_large, unread } = sum;
    let omitted = [(unread, "import-total"), (too_many, "index-rows"), (too_large, "index-strings")];
    for (omitted, limit) in omitted.into_iter().filter(|(omitted, _)| *omitted > 0) {
        let (omitted, are) = (plural(omitted, "template"), if omitted == 1 { "is" } else { "are" });
        writeln!(streams.err(), "warning: {omitted} {are} omitted; raise the limit with `--limit {limit}=…`")?;
    }
    let path = sanitize(&shown(&arguments.output)).into_owned();
    let [templates, types, uses] =
        [(templates, "template"), (types, "type"), (uses, "use")].map(|(n, noun)| plural(n, noun));
    writeln!(streams.out(), "wrote {templates}, {types} and {uses} of types to {path}")?;
    Ok(if too_many + too_large + unread > 0 { ExitStatus::Invalid } else { ExitStatus::Valid })
}

/// The numbers of rows, for the user.
#[derive(Default)]
struct Totals {
    templates: usize,
    types: usize,
    uses: usize,
    /// The omitted templates whose rows would exceed the limit.
    too_many: usize,
    /// The omitted templates whose strings exceed the limit.
    too_large: usize,
    /// The omitted templates that were not read, because those before them import too much.
    unread: usize,
}

impl Totals {
    fn add(&mut self, rows: &Rows) {
        self.templates += 1;
        self.types += rows.files.iter().map(|file| file.types.len()).sum::<usize>();
        self.uses += rows.files.iter().map(|file| file.uses.len()).sum::<usize>();
    }
}

/// The output of an index.
struct Place {
    database: PathBuf,
    /// The folder for Parquet files.
    folder: Option<PathBuf>,
}

impl Place {
    /// Checks an output.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if the output would replace something that is not an index.
    fn of(output: &Path) -> Result<Self, String> {
        let is_file = output.extension().is_some_and(|extension| {
            ["sqlite", "sqlite3", "db"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        });
        if is_file && !output.is_dir() {
            let is_replaceable = !output.exists() || is_index(output);
            let place = Self { database: output.to_owned(), folder: None };
            return if is_replaceable { Ok(place) } else { Err(foreign(output)) };
        }
        let database = output.join(NAME);
        let is_empty = match fs::read_dir(output) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == ErrorKind::NotFound => true,
            Err(error) => return Err(format!("{}: {error}", shown(output))),
        };
        if is_empty || is_index(&database) {
            return Ok(Self { database, folder: Some(output.to_owned()) });
        }
        Err(foreign(output))
    }

    /// Copies the index and writes the Parquet files: all files or none.
    fn write(&self, database: &Path) -> Result<(), Error> {
        if let Some(folder) = &self.folder {
            output::check_folders(&self.database)?;
            fs::create_dir_all(folder)?;
        }
        let mut copy = output::draft(&self.database)?;
        io::copy(&mut fs::File::open(database)?, &mut copy)?;
        let mut drafts = vec![copy];
        if let Some(folder) = &self.folder {
            let index = Index::open(database)?;
            for table in TABLES {
                let draft = output::draft(&folder.join(format!("{}.parquet", table.name)))?;
                drafts.push(index.write_parquet(table, draft)?);
            }
        }
        Ok(replace_all(drafts)?)
    }
}

fn foreign(output: &Path) -> String {
    format!("{} was not written by `tosca-parse index`; name another file or folder", shown(output))
}

/// The rows of a template.
struct Rows {
    template: Template,
    problems: Vec<Problem>,
    files: Vec<FileRows>,
    /// The number of imports of the template that count.
    imports: usize,
    /// Whether the rows are too large, so some are missing.
    is_cut: bool,
}

/// The rows of a file.
struct FileRows {
    row: File,
    types: Vec<Type>,
    uses: Vec<Use>,
    imports: Vec<Import>,
    substitutions: Vec<Substitution>,
}

impl Rows {
    /// Returns the rows of a template, and of those of its files that are wanted. Their strings have at most `room` bytes.
    fn of(progress: &Progress, room: usize, is_wanted: impl Fn(&str) -> bool) -> Option<Self> {
        let Stage::Complete(program) = &progress.stage else { return None };
        let entry = program.list.first()?;
        let summary = Summary::of(&progress.diagnostics);
        let mut collector = Collector { program, secrets: program.secrets(), room };
        let root = entry.document.root();
        let services = entry.language.services;
        let template = Template {
            file: collector.text(entry.source.name()),
            is_service: services.is_empty()
                || services.iter().any(|name| root.is_some_and(|root| root.find(name).is_some())),
            errors: summary.errors as u32,
            warnings: summary.warnings as u32,
        };
        let problems = Document::new(&progress.diagnostics, &progress.sources).diagnostics.into_iter();
        let problems = problems.map(|problem| Problem {
            template: template.file.clone(),
            code: problem.code.into_owned(),
            name: problem.name.into_owned(),
            severity: problem.severity.to_string(),
            message: collector.text(&problem.message),
            file: collector.text(&problem.file),
            line: problem.start.line,
            column: problem.start.column,
        });
        let problems = problems.collect();
        let wanted = program.list.iter().enumerate().filter(|(_, unit)| is_wanted(&cut(unit.source.name())));
        let files = wanted.map(|(number, unit)| collector.file(number, unit)).collect();
        Some(Self {
            template,
            problems,
            files,
            imports: counting_imports(progress.import_cost, program),
            is_cut: collector.room == 0,
        })
    }

    fn count(&self) -> u64 {
        let of_file =
            |file: &FileRows| 1 + file.types.len() + file.uses.len() + file.imports.len() + file.substitutions.len();
        (1 + self.problems.len() + self.files.iter().map(of_file).sum::<usize>()) as u64
    }

    fn write(self, writer: &mut Writer) -> Result<(), Error> {
        writer.add(&[self.template])?;
        writer.add(&self.problems)?;
        for file in self.files {
            writer.add(&[file.row])?;
            writer.add(&file.types)?;
            writer.add(&file.uses)?;
            writer.add(&file.imports)?;
            writer.add(&file.substitutions)?;
        }
        Ok(())
    }
}

/// Collects the rows of a program.
struct Collector<'p> {
    program: &'p Program<Complete>,
    secrets: Secrets<'p>,
    /// The remaining bytes.
    room: usize,
}

impl Collector<'_> {
    /// Returns a string without secrets. Long strings are cut.
    fn text(&mut self, text: &str) -> String {
        let text = cut(text);
        self.room = self.room.saturating_sub(text.len());
        if self.secrets.is_empty() { text } else { self.secrets.masked(&text) }
    }

    fn file(&mut self, number: usize, unit: &Unit) -> FileRows {
        let program = self.program;
        let file = self.text(unit.source.name());
        let is_built_in = unit.source.name().strip_prefix(BUILTIN).is_some_and(|rest| rest.starts_with(':'));
        let version = unit.language.version_title(unit.version);
        let row = File {
            file: file.clone(),
            language: unit.language.name.to_owned(),
            version: version.strip_prefix(unit.language.name).unwrap_or(version).trim_start().to_owned(),
            profile: is_tosca(unit).then(|| profile(program, unit)).flatten().map(|name| self.text(name)),
            is_built_in: is_built_in || unit.implicit.is_some() && unit.option.is_none(),
        };
        let (mut types, mut uses, mut imports) = (Vec::new(), Vec::new(), Vec::new());
        let mut substitutions = Vec::new();
        for id in unit.types() {
            if self.room == 0 {
                break;
            }
            types.push(Type {
                file: file.clone(),
                line: line(unit, program.name_span(id)),
                kind: self.kind(id),
                name: self.text(program.name(id)),
            });
        }
        for (reference, node, field, owner) in unit.references() {
            let Some(target) = program.target(reference).filter(|target| program.lineage(*target).is_some()) else {
                continue;
            };
            if self.room == 0 {
                break;
            }
            let line = line(unit, Some(unit.document.node(node).span()));
            let used = self.usage(unit, (&file, line), (field, owner), target);
            if is_tosca(unit) && field.ident == "node_type" && title(program, owner) == "substitution mapping" {
                let (file, type_file, type_name) = (file.clone(), used.type_file.clone(), used.type_name.clone());
                substitutions.push(Substitution { file, line, type_file, type_name });
            }
            uses.push(used);
        }
        for (index, import) in unit.imports.iter().enumerate() {
            if self.room == 0 {
                break;
            }
            let link = program.links[number].iter().find(|link| link.import == index);
            let target = import.target.as_ref().map(|target| match target {
                ImportTarget::Url { url, .. } => mask_credentials(url).into_owned(),
                ImportTarget::Profile(name) => name.clone(),
            });
            imports.push(Import {
                file: file.clone(),
                line: line(unit, Some(unit.document.node(import.node).span())),
                imported: link.map(|link| self.text(program.list[link.unit].source.name())),
                target: target.map(|target| self.text(&target)),
                prefix: import.prefix.map(|prefix| self.text(program.text(prefix))),
            });
        }
        FileRows { row, types, uses, imports, substitutions }
    }

    /// Returns the use of a type by an entity or a part of it.
    fn usage(
        &mut self,
        unit: &Unit,
        (file, line): (&str, u32),
        (field, owner): (&FieldDescription, AnyId),
        target: AnyId,
    ) -> Use {
        let program = self.program;
        let chain: Vec<AnyId> = std::iter::once(owner).chain(program.owners(owner)).collect();
        let is_named = |id: &AnyId| !program.name(*id).is_empty();
        // A type, or else the outermost entity with a name, such as a node template.
        let of_type = chain.iter().position(|id| program.lineage(*id).is_some());
        let user = of_type.or_else(|| chain.iter().rposition(is_named)).unwrap_or(0);
        let members: Vec<&str> =
            chain[..user].iter().rev().filter(|id| is_named(id)).map(|id| program.name(*id)).collect();
        let keyname = field.keyname(unit.version);
        let keyname = if keyname == Keyname::ANY || keyname == Keyname::NONE { field.ident } else { keyname };
        let target_file = program.unit(target.unit).map_or("", |unit| unit.source.name());
        Use {
            file: file.to_owned(),
            line,
            user_kind: self.kind(chain[user]),
            user: self.text(program.name(chain[user])),
            member: self.text(&members.join(".")),
            keyname: keyname.to_owned(),
            is_derivation: field.role == Role::Parent && user == 0,
            is_substituted: field.ident == "type"
                && user == 0
                && is_tosca(unit)
                && is_substituted(program, unit, owner),
            type_file: self.text(target_file),
            type_kind: self.kind(target),
            type_name: self.text(program.name(target)),
        }
    }

    fn kind(&mut self, id: AnyId) -> String {
        // Most rows consist of such short strings and numbers.
        self.room = self.room.saturating_sub(64);
        title(self.program, id).to_owned()
    }
}

/// Returns whether the directives of a node template say that a service replaces its node.
fn is_substituted(program: &Program<Complete>, unit: &Unit, id: AnyId) -> bool {
    let node = program.header(id).map(|header| unit.document.node(header.node));
    let directives = node.and_then(|node| node.find("directives")).map(|entry| entry.value);
    let mut words = directives.into_iter().flat_map(Node::items).map(Node::text);
    title(program, id) == "node template" && words.any(|word| matches!(word, "substitute" | "substitutable"))
}

fn title(program: &Program<Complete>, id: AnyId) -> &'static str {
    program.raw(id).map_or("", |entity| entity.description().title)
}

fn is_tosca(unit: &Unit) -> bool {
    std::ptr::eq(unit.language, &raw const TOSCA)
}

/// Returns the line of a span in a unit; 1 if it is somewhere else.
fn line(unit: &Unit, span: Option<Span>) -> u32 {
    span.filter(|span| span.source == unit.id).map_or(1, |span| unit.source.line_column(span.start).line)
}

fn cut(text: &str) -> String {
    if text.len() <= MAX_TEXT {
        return text.to_owned();
    }
    let end = (0..=MAX_TEXT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}…", &text[..end])
}
