//! The checks that every change must pass, as steps.

use std::fs;
use std::time::Instant;

use crate::process::{Outcome, cargo, exists, output, program, root, run as start, shared, succeeds, target};
use crate::renew::{PROSE_BASELINE, prose_check};
use crate::{Task, api, bench, chosen, parallel, skipped};

const STEPS: &[Task] = &[
    ("format", format),
    ("locks", locks),
    ("voice", voice),
    ("lints", lints),
    ("documentation", documentation),
    ("tests", tests),
    ("packages", packages),
    ("programs", programs),
];

/// Steps after all of `STEPS`, with the steps that must come before each. They run two at a time, since most of them
/// wait, or use one processor. The longest come first.
const PARALLEL_STEPS: &[(Task, &[&str])] = &[
    (("web", web), &[]),
    (("others", others), &[]),
    (("python", python), &[]),
    // The site contains the playground, which `web` builds.
    (("site", site), &["web"]),
    (("pages", pages), &["site", "others"]),
    (("instructions", instructions), &[]),
    (("objects", objects), &["python"]),
    (("extension", extension), &[]),
    (("conformance", conformance), &[]),
    (("bench", bench), &[]),
];

/// Steps that only run if they are named, because they take a long time, hardly ever fail, or need the network. The
/// pull-request workflow names them.
const ONLY_IF_NAMED: &[Task] = &[
    ("growth", growth),
    ("without-archives", without_archives),
    ("images", images),
    ("web-release", web_release),
    ("feature-lints", feature_lints),
    ("binding-lints", binding_lints),
    ("dependencies", dependencies),
    ("clout", clout),
];

/// The maximum number of crates that an embedding program compiles with the default features.
const MAX_CRATES: usize = 90;

/// The number of cases of the OASIS suite that may fail. `tests/it/conformance` lists them with the reasons.
const ALLOWED_FAILURES: &str = "6";

/// Runs the named steps until one fails; without names, runs all steps except those that must be named.
pub(crate) fn run(names: &[&str]) -> Outcome {
    let without_names: Vec<Task> = STEPS.iter().copied().chain(PARALLEL_STEPS.iter().map(|(task, _)| *task)).collect();
    if names == ["--list"] {
        without_names.iter().for_each(|(name, _)| println!("{name}"));
        ONLY_IF_NAMED.iter().for_each(|(name, _)| println!("{name} (only if named)"));
        return Ok(());
    }
    let outcome = if names.is_empty() {
        STEPS.iter().copied().try_for_each(run_step).and_then(|()| {
            let steps: Vec<_> = PARALLEL_STEPS.iter().map(|((name, _), before)| (*name, *before)).collect();
            parallel::run(&steps, run_captured)
        })
    } else {
        chosen(&[&without_names, ONLY_IF_NAMED].concat(), names)?.into_iter().try_for_each(run_step)
    };
    skipped::report();
    outcome
}

fn run_step((name, step): Task) -> Outcome {
    println!("\n== {name}");
    let begin = Instant::now();
    let outcome = step().map_err(|message| format!("step `{name}`: {message}"));
    println!("== {name}: {} s", begin.elapsed().as_secs());
    outcome
}

/// Runs a step as a separate process, and prints its output when it has ended.
fn run_captured(name: &str) -> Outcome {
    let path = target().join(["ci-", name, ".log"].concat());
    // The tests rebuild the executable of this process, so its own path may lead nowhere.
    let this = target().join("debug/xtask");
    let out = fs::File::create(&path).map_err(|error| format!("can't create {}: {error}", path.display()))?;
    let err = out.try_clone().map_err(|error| error.to_string())?;
    let status = program(this, "ci").arg(name).stdout(out).stderr(err).status().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned();
    println!("{}", skipped::without_report(&text));
    if status.success() { Ok(()) } else { Err(format!("step `{name}` failed")) }
}

/// Skips a step that can't run here.
#[expect(clippy::unnecessary_wraps, reason = "it is the outcome of a step")]
fn skip(step: &str, reason: &str) -> Outcome {
    println!("skipped: {reason}");
    skipped::note(step, reason);
    Ok(())
}

fn format() -> Outcome {
    cargo("fmt --all --check")?;
    cargo("fmt --manifest-path bindings/python/Cargo.toml --check")?;
    cargo("fmt --manifest-path bindings/web/Cargo.toml --all --check")
}

/// Checks the lock files of the bindings early. The bindings are built last, and it is easy to add a dependency only to
/// the workspace.
fn locks() -> Outcome {
    for manifest in ["bindings/python/Cargo.toml", "bindings/web/Cargo.toml"] {
        output(&mut program("cargo", &format!("metadata --locked --format-version 1 --manifest-path {manifest}")))?;
    }
    Ok(())
}

/// Checks the style of the English in the project: the number of phrases to avoid must not rise in any folder.
fn voice() -> Outcome {
    let Some(check) = prose_check() else {
        return skip("voice", "there is no Python, or the folder of test material has no `voice/prose_check.py`");
    };
    start(program("python3", "").arg(check).args([".", "--baseline", PROSE_BASELINE]))
}

fn lints() -> Outcome {
    cargo("clippy --workspace --all-targets --locked -- -D warnings")
}

/// Lints the library without its default features, and compiles it without its checks.
fn feature_lints() -> Outcome {
    cargo("clippy -p tosca-parse --lib --no-default-features --locked -- -D warnings")?;
    cargo("rustc -p tosca-parse --lib --profile check --locked -- --cfg without_checks --allow unused")
}

/// Lints the bindings, which compiles all crates again with different features.
fn binding_lints() -> Outcome {
    cargo("clippy --manifest-path bindings/python/Cargo.toml --locked -- -D warnings")?;
    if !succeeds(&mut program("rustup", "target add wasm32-unknown-unknown")) {
        return skip("binding-lints", "there is no target for WebAssembly");
    }
    // Each module of the JavaScript package has a feature.
    ["templates", "murano"].iter().try_for_each(|feature| {
        let options = format!("--target wasm32-unknown-unknown --no-default-features --features {feature}");
        cargo(&format!("clippy --manifest-path bindings/web/Cargo.toml {options} --locked --quiet -- -D warnings"))
    })
}

fn documentation() -> Outcome {
    api::document()?;
    match api::listing() {
        Ok(listing) => api::compare(&listing),
        Err(error) => skip("documentation", &format!("the public interface is not compared: {error}")),
    }
}

/// Runs the test command in the README.
fn tests() -> Outcome {
    let tools = [("chromedriver", "chromium-driver"), ("nvim", "neovim"), ("gpg", "gnupg")];
    tools.iter().for_each(|(tool, package)| install(tool, package));
    let readme = fs::read_to_string(root().join("README.md")).map_err(|error| error.to_string())?;
    let (_, rest) = readme.split_once("<!-- test-command -->").ok_or("the README has no test command")?;
    let command = rest.lines().find_map(|line| line.strip_prefix("cargo ")).ok_or("the README has no test command")?;
    println!("cargo {command}");
    skipped::run_tests(&mut program("cargo", &format!("{command} --locked")))
}

/// Installs a missing program from the system's packages. If that fails, its tests are skipped.
fn install(tool: &str, package: &str) {
    if exists(tool) || !exists("apt-get") {
        return;
    }
    println!("installing {package}");
    let is_installed = succeeds(&mut program("apt-get", "update -qq"))
        && succeeds(program("apt-get", "install -y -qq").arg(package).env("DEBIAN_FRONTEND", "noninteractive"));
    if !is_installed {
        println!("{package} can't be installed here: tests that need `{tool}` are skipped");
    }
}

fn without_archives() -> Outcome {
    cargo("test -p tosca-parse-murano --test it --no-default-features --locked without_archives")
}

/// Tests diagrams with the formats PNG and PDF, which releases have.
fn images() -> Outcome {
    cargo("test -p tosca-parse-cli --features images --test it --locked graph::")
}

/// Checks the number of crates that an embedding program compiles.
fn packages() -> Outcome {
    let tree = output(&mut program("cargo", "tree -e normal --prefix none -p tosca-parse --locked"))?;
    let mut crates: Vec<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    crates.sort_unstable();
    crates.dedup();
    println!("{} crates for an embedding program, at most {MAX_CRATES}", crates.len());
    if crates.len() > MAX_CRATES { Err("too many crates".to_owned()) } else { Ok(()) }
}

/// Checks the licenses, duplicates and sources of all dependencies against `deny.toml`, and their advisories if the
/// database can be fetched.
fn dependencies() -> Outcome {
    let is_there = || succeeds(&mut program("cargo", "deny --version"));
    if !is_there() && std::env::var_os("CI").is_some() {
        cargo("install --quiet --locked cargo-deny --version ^0.18")?;
    }
    if !is_there() {
        return skip("dependencies", "there is no `cargo deny`");
    }
    for manifest in ["Cargo.toml", "bindings/python/Cargo.toml", "bindings/web/Cargo.toml"] {
        // Otherwise, only the package of the manifest and its dependencies would be checked, not the command.
        cargo(&format!("deny --workspace --manifest-path {manifest} check bans licenses sources"))?;
    }
    if !succeeds(&mut program("cargo", "deny fetch db")) {
        return skip("dependencies", "the database of advisories can't be fetched");
    }
    cargo("deny --workspace check advisories")
}

fn programs() -> Outcome {
    // With the tests, dependencies have the features that they have in the step `tests`, and nothing is built again.
    cargo("build --workspace --bins --tests --locked --quiet")
}

/// Checks the instruction counts of a debug build: a change that increases them usually does so in a release too.
fn instructions() -> Outcome {
    counts("instructions", "")
}

/// Checks the growth of instruction counts with the size of the input.
fn growth() -> Outcome {
    counts("growth", "growth")
}

fn counts(step: &str, arguments: &str) -> Outcome {
    install("valgrind", "valgrind");
    if !exists("valgrind") {
        return skip(step, "there is no valgrind");
    }
    skipped::run_script(step, &mut program(target().join("debug/counts"), arguments))
}

/// Checks that the comparison with other tools works, with small templates and the debug build.
fn bench() -> Outcome {
    match bench::smoke()? {
        Some(reason) => skip("bench", &reason),
        None => Ok(()),
    }
}

/// Runs the cases of the OASIS suite and migrates a sample of files, with the debug build: an optimized build would
/// take longer than it saves.
fn conformance() -> Outcome {
    let Some(shared) = shared() else {
        return skip("conformance", "the folder of test material is missing");
    };
    let command = format!("{} --quiet --profile-path {{dir}} {{file}}", target().join("debug/tosca-parse").display());
    let folder = shared.join("conformance");
    let mut run = program("python3", "");
    run.arg(folder.join("run.py")).args(["--quiet", "--allow", ALLOWED_FAILURES, "--cmd", &command]);
    start(run.arg(folder.join("oasis-2.0/manifest.csv")))?;
    let mut migrate = program("python3", ".ci/migrate.py --every 40");
    migrate.args(["simple-1.x", "oasis-examples", "aria"].map(|name| folder.join(name)));
    start(migrate.env("TOSCA_PARSE", target().join("debug/tosca-parse")))
}

/// The implementation that Clouts are compared with.
const PUCCINI: &str = "puccini==0.21.0";

/// The number of files whose Clout may differ from the one of Puccini. `docs/clout.md` explains the differences.
const DIFFERENT_CLOUTS: &str = "9";

/// The packages of the engines for clusters, whose examples are tested.
const ENGINES: [&str; 3] = ["pyspark==4.3.0 pandas==3.1.1", "distributed==2026.8.0", "ray[data]==2.60.0"];

fn python() -> Outcome {
    let environment = target().join("python");
    let (bin, binding) = (environment.join("bin"), root().join("bindings/python"));
    let mut pip = program(bin.join("pip"), "install --quiet --disable-pip-version-check maturin>=1.9,<2");
    if !succeeds(program("python3", "-m venv").arg(&environment)) || !succeeds(&mut pip) {
        return skip("python", "there is no Python, or its packages can't be fetched");
    }
    let mut maturin = program(bin.join("maturin"), "develop --quiet --locked --extras test");
    start(maturin.env("VIRTUAL_ENV", &environment).current_dir(&binding))?;
    if std::env::var_os("TOSCA_PARSE_CLUSTERS").is_some() {
        for engine in ENGINES {
            // The test of an engine that can't be installed is skipped.
            let install = ["install --quiet --disable-pip-version-check ", engine].concat();
            succeeds(&mut program(bin.join("pip"), &install));
        }
    }
    let mut pytest = program(bin.join("python"), "-m pytest --quiet -rs");
    let command = target().join("debug/tosca-parse");
    if command.exists() {
        pytest.env("TOSCA_PARSE", command);
    }
    skipped::run_pytest(pytest.current_dir(&binding))
}

/// Runs the tests with emulated object stores: an emulator of S3 or, if `TOSCA_PARSE_OBJECTS` is `all`, those of all
/// services, which take minutes to install, and the packages with which Python reads from them.
fn objects() -> Outcome {
    let environment = target().join("objects");
    let tests = root().join("tests/objects");
    let is_all = std::env::var_os("TOSCA_PARSE_OBJECTS").is_some_and(|value| value == "all");
    let pip = "install --quiet --disable-pip-version-check --no-compile --requirement";
    let mut install = program(environment.join("bin/pip"), pip);
    install.arg(tests.join(if is_all { "requirements-all.txt" } else { "requirements.txt" }));
    if !succeeds(program("python3", "-m venv").arg(&environment)) || !succeeds(&mut install) {
        return skip("objects", "there is no Python, or its packages can't be fetched");
    }
    if is_all {
        for name in ["package.json", "package-lock.json"] {
            fs::copy(tests.join(name), environment.join(name))
                .map_err(|error| format!("can't copy {name}: {error}"))?;
        }
        // The tests of a store whose emulator can't be installed are skipped.
        let mut npm = program("npm", "ci --no-audit --no-fund --loglevel=error");
        let _ = exists("npm") && succeeds(npm.current_dir(&environment));
    }
    let mut pytest = program(environment.join("bin/python"), "-m pytest --quiet -rs");
    pytest.env("TOSCA_PARSE", target().join("debug/tosca-parse")).env("NODE_MODULES", environment.join("node_modules"));
    // The step `python` builds it.
    pytest.env("PYTHONPATH", root().join("bindings/python"));
    skipped::run_pytest(pytest.current_dir(tests))
}

/// Runs the tests with third-party clients, validators and readers.
fn others() -> Outcome {
    let folder = fresh("others")?;
    copy_files("tests/interop", &folder, |name| name.starts_with("package"))?;
    let python = folder.join("python/bin");
    let is_ready = succeeds(program("python3", "-m venv").arg(folder.join("python")))
        && exists("npm")
        && succeeds(&mut program(
            python.join("pip"),
            "install --quiet --disable-pip-version-check --requirement tests/interop/requirements.txt",
        ))
        && succeeds(program("npm", "ci --no-audit --no-fund --loglevel=error").current_dir(&folder));
    if !is_ready {
        return skip("others", "there is no Python or no npm, or packages can't be fetched");
    }
    let mut pytest = program(python.join("python"), "-m pytest --quiet -rs");
    pytest.arg("--ignore=test_site.py").current_dir(root().join("tests/interop"));
    pytest.env("TOSCA_PARSE", target().join("debug/tosca-parse")).env("NODE_MODULES", folder.join("node_modules"));
    skipped::run_pytest(&mut pytest)
}

/// Tests the pages of the documentation site in a browser, with the packages of the step `others`.
fn pages() -> Outcome {
    let (folder, site) = (target().join("others"), target().join("site"));
    let python = folder.join("python/bin/python");
    if !python.exists() || !site.exists() {
        return skip("pages", "the step `site` or `others` has not run, or was skipped");
    }
    let mut pytest = program(python, "-m pytest --quiet -rs test_site.py");
    pytest.env("SITE", site).env("NODE_MODULES", folder.join("node_modules"));
    skipped::run_pytest(pytest.current_dir(root().join("tests/interop")))
}

/// Compares Clouts with those of Puccini.
fn clout() -> Outcome {
    let Some(shared) = shared() else {
        return skip("clout", "the folder of test material is missing");
    };
    let environment = target().join("clout");
    let python = environment.join("bin/python");
    let install = ["-m pip install --quiet --disable-pip-version-check ", PUCCINI].concat();
    if !succeeds(program("python3", "-m venv").arg(&environment)) || !succeeds(&mut program(&python, &install)) {
        return skip("clout", "there is no Python, or `puccini` can't be fetched");
    }
    let mut run = program(&python, "-B benches/compare/clout.py --expect");
    run.arg(DIFFERENT_CLOUTS).arg("--command").arg(target().join("debug/tosca-parse"));
    start(run.arg(shared.join("conformance")))
}

fn extension() -> Outcome {
    let (folder, package) = (root().join("editors/vscode"), fresh("vscode")?.join("tosca-parse.vsix"));
    if !exists("npm") || !succeeds(program("npm", "ci --no-audit --no-fund --loglevel=error").current_dir(&folder)) {
        return skip("extension", "there is no npm, or its packages can't be fetched");
    }
    let mut tests = program("npm", "test --silent");
    skipped::run_node(tests.env("TOSCA_PARSE", target().join("debug/tosca-parse")).current_dir(&folder))?;
    output(program("npm", "run --silent package -- --out").arg(&package).current_dir(&folder))?;
    if package.is_file() { Ok(()) } else { Err("no extension was packed".to_owned()) }
}

/// Builds and tests the JavaScript package without optimization.
fn web() -> Outcome {
    test_web("web", true)
}

/// Builds and tests the JavaScript package as it is published, and compares its size with the stated one. The
/// optimization takes longer than everything else in the step `web`.
fn web_release() -> Outcome {
    test_web("web-release", false)
}

fn test_web(step: &str, is_dev: bool) -> Outcome {
    let folder = root().join("bindings/web");
    let is_ready = exists("npm")
        && succeeds(&mut program("rustup", "target add wasm32-unknown-unknown"))
        && succeeds(program("npm", "ci --no-audit --no-fund --loglevel=error").current_dir(&folder));
    if !is_ready {
        return skip(step, "there is no npm or no target for WebAssembly, or packages can't be fetched");
    }
    let build = if is_dev { "run --silent build -- --dev" } else { "run --silent build" };
    start(program("npm", build).current_dir(&folder))?;
    let mut tests = program("npm", "test --silent");
    if is_dev {
        tests.env("WEB_BUILD", "dev");
    }
    skipped::run_node(tests.current_dir(&folder))
}

/// Builds the documentation site and checks its links. It contains the playground if the step `web` has built it.
fn site() -> Outcome {
    let environment = target().join("site-python");
    let python = environment.join("bin/python");
    let install =
        "-m pip install --quiet --disable-pip-version-check --require-hashes --requirement site/requirements.txt";
    let is_ready =
        succeeds(program("python3", "-m venv").arg(&environment)) && succeeds(&mut program(&python, install));
    if !is_ready {
        return skip("site", "there is no Python, or its packages can't be fetched");
    }
    start(program(&python, "-B site/build.py").arg(target().join("site")))
}

/// Creates an empty folder for the products of a step.
fn fresh(name: &str) -> Result<std::path::PathBuf, String> {
    let folder = target().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("can't create {}: {error}", folder.display()))?;
    Ok(folder)
}

/// Copies files from a folder of the project if their names satisfy a predicate.
fn copy_files(from: &str, to: &std::path::Path, is_wanted: impl Fn(&str) -> bool) -> Outcome {
    let copy = || -> std::io::Result<()> {
        for entry in fs::read_dir(root().join(from))? {
            let entry = entry?;
            if entry.file_type()?.is_file() && is_wanted(&entry.file_name().to_string_lossy()) {
                fs::copy(entry.path(), to.join(entry.file_name()))?;
            }
        }
        Ok(())
    };
    copy().map_err(|error| format!("can't copy {from}: {error}"))
}
