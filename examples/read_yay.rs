//! Reads a configuration in Yay. Values are evaluated on access and have positions.
//!
//! ```text
//! cargo run --example read_yay -- examples/yay/site.yay examples/yay/production.yay
//! ```

use std::error::Error;
use std::fmt::Write;
use std::sync::Arc;

use tosca_parse::source::FileProvider;
use tosca_parse::yay::host::Provided;
use tosca_parse::yay::{Config, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let layers: Vec<String> = std::env::args().skip(1).collect();
    let config = read(&layers);
    let text = describe(&config).map_err(|error| config.describe(&error))?;
    #[allow(clippy::print_stdout, reason = "a program may print; the library does not")]
    {
        print!("{text}");
    }
    Ok(())
}

/// Loads files as layers; later files override earlier ones. Nothing is evaluated yet.
pub(crate) fn read(layers: &[String]) -> Config<'static> {
    let mut config = Config::new(Provided::new(vec![Arc::new(FileProvider)], Limits::default().bytes as u64));
    for layer in layers {
        config.load_address(layer);
    }
    config
}

/// Describes a site. An error names the invalid value and its position.
pub(crate) fn describe(config: &Config<'_>) -> tosca_parse::yay::Result<String> {
    let site = config.root();
    let mut text = format!("{} at {}\n", site.get("name").as_string()?, site.get("url").as_string()?);
    for server in site.get("servers").items()? {
        let (name, port) = (server.get("name").as_string()?, server.get("port").as_int()?);
        let _ = writeln!(text, "  {name} listens on {port}");
    }
    for name in site.get("users").keys()? {
        let shell = site.get("users").get(&name).get("shell");
        let place = shell.anchor()?;
        let _ = writeln!(text, "  {name} has {} (line {}, column {})", shell.as_string()?, place.line, place.column);
    }
    // A missing value gets the default, but a value of the wrong kind is still an error.
    let _ = writeln!(text, "  at most {} connections", site.get("limits").get("connections").as_int_or(100)?);
    Ok(text)
}
