//! The arguments of `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tosca_parse_serve::HeaderValue;

use super::super::completion;
use super::sources::{QuirkSelection, quirk};
use tosca_parse_config::Limit;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The address to listen on; port 0 means any free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// The maximum length of the body of a request, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20, help_heading = "Limits")]
    pub(crate) max_body: usize,
    /// The maximum length of all bodies and answers in memory, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 512 << 20, help_heading = "Limits")]
    pub(crate) max_bodies: usize,
    /// The maximum time for the work on a request, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "30", help_heading = "Limits")]
    pub(crate) timeout: Duration,
    /// The maximum number of requests that are worked on at the same time; the number of processors by default
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Limits")]
    pub(crate) jobs: Option<u16>,
    /// The maximum number of requests that wait for others
    #[arg(long, value_name = "NUMBER", default_value_t = 256, help_heading = "Limits")]
    pub(crate) max_waiting: usize,
    /// The maximum number of open connections
    #[arg(long, value_name = "NUMBER", default_value_t = 1024, help_heading = "Limits")]
    pub(crate) max_connections: usize,
    /// Set a limit for reading files; `tosca-parse limits` lists the names
    #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse, add = completion::limits(), help_heading = "Limits")]
    pub(crate) limit: Vec<Limit>,
    /// Allow imports from the network
    #[arg(long, help_heading = "Sources")]
    pub(crate) online: bool,
    /// Allow remote files and redirects to refer to loopback, link-local and private addresses
    #[arg(long, requires = "online", help_heading = "Sources")]
    pub(crate) allow_private_network: bool,
    /// Search a folder, file or archive for profiles
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(crate) profile_path: Vec<PathBuf>,
    /// Accept a common deviation from the standard; see `tosca-parse quirks`
    #[arg(long, value_name = "NAME", value_parser = quirk, add = completion::quirks(), help_heading = "Problems")]
    pub(crate) quirk: Vec<QuirkSelection>,
    /// Let scripts of web pages from this origin call the service
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub(crate) cors: Vec<HeaderValue>,
    /// Log each request to standard error, as a line of JSON
    #[arg(long)]
    pub(crate) access_log: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn origin(text: &str) -> Result<HeaderValue, String> {
    let is_origin = text.split_once("://").is_some_and(|(scheme, host)| !scheme.is_empty() && !host.is_empty());
    let is_origin = is_origin && text.matches('/').count() == 2;
    HeaderValue::from_str(text)
        .ok()
        .filter(|_| is_origin)
        .ok_or("expected an origin such as `https://example.com`".to_owned())
}
