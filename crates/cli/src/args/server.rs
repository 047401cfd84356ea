//! The arguments of `server`.

use clap::Args;

use super::sources::ReadArgs;
use super::validate::RuleArgs;

#[derive(Debug, Args)]
pub(crate) struct Server {
    /// Has no effect: standard input and output are always used
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
}
