//! `tuner serve`: the service over a folder of runs.

use std::io::{IsTerminal, Write, stdout};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use super::Outcome;
use super::stop::stop_flag;
use crate::service::{ServiceError, ServiceFolder, Settings, Tokens, api, serve};
use crate::workspace::exit::{Exit, Failure, bad_input, refused};

/// The folder of configurations that is taken where it is there and no other is named.
const CONFIGS: &str = "configs";

#[derive(Args)]
pub(super) struct ServeArguments {
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8613")]
    listen: SocketAddr,
    /// A name that the service goes by besides this machine's own, such as that of a proxy; can be
    /// given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Runs at work at a time; they share the cores evenly
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u16).range(1..=64))]
    running: u16,
    /// Threads of each run at work [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Folder whose parts `engines` and `jobs` hold what requests may name [default: configs,
    /// where it is there]
    #[arg(long, value_name = "DIR")]
    configs: Option<PathBuf>,
    /// MiB of the disk to keep free: below that all runs stand still
    #[arg(long, value_name = "MIB", default_value_t = 512,
          value_parser = clap::value_parser!(u64).range(0..=1 << 30))]
    disk_reserve_mib: u64,
    /// Only show runs: requests change nothing, and none is begun
    #[arg(long)]
    read_only: bool,
    /// Print the address of the service that runs, with its token, and nothing else
    #[arg(long, conflicts_with_all = ["listen", "openapi"])]
    show_url: bool,
    /// Print the description of the API (OpenAPI, JSON) and nothing else
    #[arg(long)]
    openapi: bool,
}

pub(super) fn run(arguments: &ServeArguments) -> Outcome {
    if arguments.openapi {
        write!(stdout(), "{}", api::openapi())?;
        return Ok(Exit::Success);
    }
    if arguments.show_url {
        return show_url(&arguments.runs);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments
        .threads
        .unwrap_or(u16::try_from(cores).unwrap_or(u16::MAX));
    let standard = Path::new(CONFIGS);
    let configs = arguments.configs.clone();
    let configs = configs.or_else(|| standard.is_dir().then(|| standard.to_owned()));
    let settings = Settings {
        runs: arguments.runs.clone(),
        listen: arguments.listen,
        hosts: arguments.hosts.clone(),
        threads,
        running_max: usize::from(arguments.running),
        configs,
        reserve: arguments.disk_reserve_mib << 20,
        is_read_only: arguments.read_only,
    };
    let stop = stop_flag()?;
    let is_local = arguments.listen.ip().is_loopback();
    serve(settings, &stop, |place, tokens| {
        let address = place.to_open(&tokens.write);
        let mut out = stdout().lock();
        // Whoever started it may not be there to read it; the service is.
        let _ = writeln!(out, "Sixfold serves {}", arguments.runs.display());
        let _ = writeln!(out, "Open {address}");
        if out.is_terminal() {
            let _ = writeln!(
                out,
                "Ctrl-C ends it; runs at work go on when it is started again."
            );
        }
        let _ = out.flush();
        if !is_local {
            warn_of_listening(arguments.listen.ip());
        }
    })
    .map_err(failure)?;
    Ok(Exit::Success)
}

#[expect(clippy::print_stderr, reason = "a warning that no filter may hide")]
fn warn_of_listening(address: IpAddr) {
    eprintln!(
        "warning: {address} can be reached from other machines, and without TLS everybody on the \
         way reads the token; put a proxy with TLS in front and listen on 127.0.0.1 (SECURITY.md)"
    );
}

fn show_url(runs: &Path) -> Outcome {
    let folder = ServiceFolder::of(runs);
    let Some(place) = folder.running()? else {
        let text = format!(
            "no service runs over {}; `tuner serve` starts one",
            runs.display()
        );
        return Err(bad_input(anyhow!(text)));
    };
    let tokens = Tokens::load(&folder.tokens()).map_err(refused)?;
    let tokens = tokens.ok_or_else(|| refused(anyhow!("the service's tokens are gone")))?;
    writeln!(stdout(), "{}", place.to_open(&tokens.write))?;
    Ok(Exit::Success)
}

fn failure(error: ServiceError) -> Failure {
    match error {
        ServiceError::Lock(_) | ServiceError::Token(_) => refused(error),
        ServiceError::Name(_)
        | ServiceError::Configurations { .. }
        | ServiceError::Listen { .. } => bad_input(error),
        ServiceError::Folder(_) | ServiceError::Io { .. } => error.into(),
    }
}
