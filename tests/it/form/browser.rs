//! Pages in a real browser, controlled with the `WebDriver` protocol. Skipped with a message if `chromedriver` is
//! missing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::{OLDER, SECRETS, TEMPLATE, form, is_taken};

/// A headless browser.
pub(super) struct Browser {
    driver: Child,
    /// The driver keeps writing, so the pipe must stay open.
    _output: BufReader<ChildStdout>,
    port: u16,
    session: String,
    folder: tempfile::TempDir,
}

/// Starts the driver on a free port, if there is a driver.
fn start_driver() -> Option<(Child, BufReader<ChildStdout>, u16)> {
    // The driver ends if another program takes the port that it found.
    const ATTEMPTS: usize = 10;
    for _ in 0..ATTEMPTS {
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut driver) = driver else {
            eprintln!("skipped: there is no chromedriver");
            return None;
        };
        let mut output = BufReader::new(driver.stdout.take().unwrap());
        let lines = output.by_ref().lines().map_while(Result::ok);
        // The first message contains the requested port 0, which stands for any port.
        let mut ports = lines.filter_map(|line| line.split("on port ").nth(1)?.trim_end_matches('.').parse().ok());
        if let Some(port) = ports.find(|port| *port != 0) {
            return Some((driver, output, port));
        }
        driver.wait().unwrap();
    }
    panic!("the driver does not start");
}

impl Browser {
    /// Starts a browser, if there is one.
    pub(super) fn start() -> Option<Self> {
        let (driver, output, port) = start_driver()?;
        let folder = tempfile::tempdir().unwrap();
        let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
        let arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
        let quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", &profile];
        let arguments = [&arguments[..], &quiet[..]].concat();
        let options = json!({ "args": arguments });
        let wanted = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": options } } });
        let mut browser = Self { driver, _output: output, port, session: String::new(), folder };
        let answer = browser.ask("POST", "", &wanted);
        let Some(session) = answer["sessionId"].as_str() else {
            eprintln!("skipped: the browser does not start: {answer}");
            return None;
        };
        browser.session = format!("/{session}");
        Some(browser)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = format!("{method} /session{}{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close", self.session);
        write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        for line in answer.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut text = vec![0; length];
        answer.read_exact(&mut text).unwrap();
        serde_json::from_slice::<Value>(&text).unwrap()["value"].take()
    }

    pub(super) fn open(&self, page: &str) {
        let path = self.folder.path().join("form.html");
        std::fs::write(&path, page).unwrap();
        self.ask("POST", "/url", &json!({ "url": format!("file://{}", path.display()) }));
    }

    /// Returns the path of an element.
    pub(super) fn element(&self, selector: &str) -> String {
        let answer = self.ask("POST", "/element", &json!({ "using": "css selector", "value": selector }));
        let id = answer.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
        format!("/element/{}", id.unwrap_or_else(|| panic!("{selector}: {answer}")))
    }

    pub(super) fn text(&self, selector: &str) -> String {
        self.ask("GET", &format!("{}/text", self.element(selector)), &json!({})).as_str().unwrap().to_owned()
    }

    pub(super) fn click(&self, selector: &str) {
        let answer = self.ask("POST", &format!("{}/click", self.element(selector)), &json!({}));
        assert!(answer.is_null(), "{answer}");
    }

    /// Types text into a field.
    pub(super) fn enter(&self, selector: &str, text: &str) {
        self.ask("POST", &format!("{}/value", self.element(selector)), &json!({ "text": text }));
    }

    /// Replaces the content of a field, and leaves the field.
    pub(super) fn fill(&self, selector: &str, text: &str) {
        const TAB: char = '\u{e004}';
        self.ask("POST", &format!("{}/clear", self.element(selector)), &json!({}));
        self.enter(selector, &format!("{text}{TAB}"));
    }

    /// Chooses an option of a list, as if by typing it.
    pub(super) fn choose(&self, selector: &str, word: &str) {
        self.enter(selector, word);
    }

    /// Returns the problem that the page shows next to a field.
    pub(super) fn problem(&self, name: &str) -> String {
        self.text(&format!("[data-name={name}] .problem"))
    }

    /// Returns the YAML that the page saves.
    pub(super) fn result(&self) -> Value {
        serde_yaml::from_str(&self.text("#result")).unwrap()
    }

    /// Evaluates the body of a function in the page.
    pub(super) fn run(&self, script: &str) -> Value {
        self.ask("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            self.ask("DELETE", "", &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

#[test]
fn inputs_are_filled_in() {
    let Some(browser) = Browser::start() else { return };

    browser.open(&form(TEMPLATE).page());
    assert_eq!(browser.text("#status"), "3 values are missing or invalid");
    assert_eq!(browser.problem("name"), "", "nothing was touched");
    assert_eq!(browser.text("[data-name=name] .hint"), "At least 3 characters");
    assert_eq!(browser.text("[data-name=port] .hint"), "An integer, 1 to 65535, less than 1024");
    assert_eq!(browser.text("[data-name=ratio] .hint"), "A number, 0.5 or greater than 1");
    assert_eq!(browser.text("[data-name=host] .about"), "A name in the DNS");
    browser.click("#save");
    assert_eq!(browser.problem("name"), "Required");
    assert_eq!(browser.run("return document.activeElement.closest('[data-name]').dataset.name"), "name");
    browser.fill("[data-name=name] input", "ab");
    assert_eq!(browser.problem("name"), "Must have at least 3 characters");
    browser.fill("[data-name=name] input", "shop");
    assert_eq!(browser.problem("name"), "");
    browser.fill("[data-name=port] input", "1024");
    assert_eq!(browser.problem("port"), "Must be less than 1024");
    browser.fill("[data-name=port] input", "eighty");
    assert_eq!(browser.problem("port"), "Must be an integer");
    browser.fill("[data-name=port] input", "443");
    browser.fill("[data-name=length] input", "2 miles");
    assert!(browser.problem("length").starts_with("Must be a number with a unit ("));
    browser.fill("[data-name=length] input", "2.5 m");
    browser.fill("[data-name=address] [data-name=host] input", "example.org");
    browser.click("[data-name=address] [data-name=next] .add");
    assert_eq!(browser.text("#status"), "1 value is missing or invalid");
    browser.fill("[data-name=next] [data-name=host] input", "other.org");
    browser.click("[data-name=tags] .add");
    browser.fill("[data-name=tags] input", "new");
    browser.choose("[data-name=size] select", "large");
    assert_eq!(browser.text("#status"), "All values are valid");
    let inputs = browser.result();
    let address = json!({ "host": "example.org", "port": 443, "next": { "host": "other.org", "port": 443 } });
    let expected = json!({
        "name": "shop", "size": "large", "port": 443, "length": "2.5 m", "address": address, "tags": ["new"],
        "debug": false,
    });
    assert_eq!(inputs, expected);
    assert!(is_taken(TEMPLATE, &inputs));

    browser.open(&form(OLDER).page());
    browser.enter("[data-name=cpus] input", "5");
    assert_eq!(browser.problem("cpus"), "", "the field was not left");
    browser.fill("[data-name=cpus] input", "5");
    assert_eq!(browser.problem("cpus"), "Must be at most 4");
    browser.fill("[data-name=cpus] input", "4");
    browser.fill("[data-name=user] input", "root");
    browser.click("[data-name=zones] .add");
    browser.fill("[data-name=zones] input", "north");
    // Every JavaScript object has a member of this name, and its numbers have 53 bits.
    browser.click("#save");
    assert_eq!(browser.problem("toString"), "Required");
    browser.fill("[data-name=toString] input", "text");
    browser.fill("[data-name=big] input", "9007199254740993");
    assert!(browser.problem("big").starts_with("Too large for a browser"));
    browser.fill("[data-name=big] input", "9007199254740991");
    assert_eq!(browser.text("[data-name=release] .hint"), "A version such as 1.2 or 1.2.0.beta-3");
    browser.fill("[data-name=release] input", "1.5");
    assert_eq!(browser.text("#status"), "All values are valid");
    let inputs = browser.result();
    let expected = json!({
        "cpus": 4, "memory": "4 GB", "user": "root", "zones": ["north"], "release": "1.5", "big": 9_007_199_254_740_991_u64,
        "toString": "text",
    });
    assert_eq!(inputs, expected);
    assert!(is_taken(OLDER, &inputs));

    let cluster = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/templates/cluster.yaml");
    browser.open(&form(cluster).page());
    browser.click("#save");
    assert_eq!(browser.problem("image"), "Required");
    browser.fill("[data-name=image] input", "worker:2");
    assert!(is_taken(cluster, &browser.result()));
    assert_eq!(browser.text("#status"), "All values are valid");
}

#[test]
fn secrets_are_hidden() {
    let form = form(SECRETS);
    let password = json!({ "type": "string", "format": "password", "writeOnly": true });
    assert_eq!(form.schema["properties"]["db_password"], password);
    assert_eq!(form.schema["$defs"]["Login"]["properties"]["token"], password);
    assert_eq!(form.schema["properties"]["token_count"]["default"], 3, "only strings are passwords");
    let page = form.page();
    assert!(!page.contains("hunter2"));

    let Some(browser) = Browser::start() else { return };
    browser.open(&page);
    browser.fill("[data-name=db_password] input", "swordfish");
    browser.fill("[data-name=token] input", "abc");
    assert_eq!(browser.run("return document.querySelector('[data-name=token] input').type"), "password");
    let shown = json!({ "db_password": "*****", "login": { "user": "root", "token": "*****" }, "token_count": 3 });
    assert_eq!(browser.result(), shown);
    let label = browser.run("return document.querySelector('[data-name=token] .reveal').ariaLabel");
    assert_eq!(label, "Show token");
    browser.click("[data-name=token] .reveal");
    assert_eq!(browser.run("return document.querySelector('[data-name=token] input').type"), "text");
    // The saved file contains the secrets.
    let saved = browser.run("return yaml(current().value)");
    let expected = json!({ "db_password": "swordfish", "login": { "user": "root", "token": "abc" }, "token_count": 3 });
    assert_eq!(serde_yaml::from_str::<Value>(saved.as_str().unwrap()).unwrap(), expected);
    assert!(is_taken(SECRETS, &expected));
}

#[test]
fn pages_save_yaml() {
    let Some(browser) = Browser::start() else { return };
    browser.open(&form(TEMPLATE).page());
    let strings: &[&str] = &[
        "plain",
        "two words",
        "",
        " ",
        "true",
        "No",
        "~",
        "null",
        "1",
        "1.5",
        "0x1",
        "1e3",
        "2001-01-01",
        "a: b",
        "a #b",
        "- a",
        "? a",
        "x:",
        "@a",
        "`a",
        "%a",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "[",
        "{a}",
        "'",
        "\"",
        "\\",
        "a\nb",
        "\t",
        "\u{85}\u{2028}\u{feff}\u{7f}",
        "é",
        "😀",
        "<<",
        "=",
        "---",
        "...",
        "a-b/c.d_e",
        "toString",
        "__proto__",
    ];
    let keys: serde_json::Map<String, Value> = strings.iter().map(|text| ((*text).to_owned(), json!(1))).collect();
    let value = json!({ "strings": strings, "keys": keys, "nested": [[1, [2, {}], []], { "a": [{ "b": null }], "c": 0.5 }],
        "numbers": [0, -1, 9_007_199_254_740_991_u64, 1e21, 1.5e-7], "truths": [true, false], "none": {} });
    let written = browser.run(&format!("return yaml(JSON.parse({}))", json!(value.to_string())));
    let read: Value = serde_yaml::from_str(written.as_str().unwrap()).unwrap();
    assert_eq!(read, value, "{written}");
    assert!(written.as_str().unwrap().starts_with("strings:\n  - plain\n  - two words\n"), "{written}");
}

#[test]
fn pages_fit_phones_and_keyboards() {
    let Some(browser) = Browser::start() else { return };
    browser.ask("POST", "/window/rect", &json!({ "width": 360, "height": 800 }));
    browser.open(&form(TEMPLATE).page());
    browser.click("[data-name=ports] .add");
    let width = browser.run("return document.querySelector('[data-name=ports] .value input').offsetWidth");
    assert!(width.as_u64().unwrap() > 200, "{width}");
    let overflow = browser.run("return document.documentElement.scrollWidth - innerWidth");
    assert!(overflow.as_i64().unwrap() <= 0, "{overflow}");
    // The focus follows additions and removals. Each control has a label and refers to its description.
    assert_eq!(browser.run("return document.activeElement.className"), "key");
    browser.click("[data-name=ports] .remove");
    assert_eq!(browser.run("return document.activeElement.ariaLabel"), "Add an entry to ports");
    browser.click("[data-name=ports] .add");
    browser.click("[data-name=ports] .add");
    browser.click("[data-name=ports] .remove");
    browser.click("[data-name=ports] .add");
    let names = "return [...document.querySelectorAll('[data-name=ports] .remove')].map((one) => one.ariaLabel)";
    assert_eq!(browser.run(names), json!(["Remove entry 3 of ports", "Remove entry 4 of ports"]));
    let unlabeled = browser.run(
        "return [...document.querySelectorAll('input, select')]
             .filter((one) => !one.labels.length && !one.ariaLabel).map((one) => one.outerHTML)",
    );
    assert_eq!(unlabeled, json!([]));
    let dangling = browser.run(
        "return [...document.querySelectorAll('[aria-describedby]')]
             .flatMap((one) => one.getAttribute('aria-describedby').split(' '))
             .filter((id) => !document.getElementById(id))",
    );
    assert_eq!(dangling, json!([]));
}
