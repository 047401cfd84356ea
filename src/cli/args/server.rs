//! The command that serves editors.

use clap::Args;

use super::sources::Reading;

#[derive(Debug, Args)]
pub(in crate::cli) struct Server {
    /// Does nothing: the standard input and output are always used
    #[arg(long, hide = true)]
    pub(in crate::cli) stdio: bool,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}
