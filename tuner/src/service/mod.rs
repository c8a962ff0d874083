//! The service: a queue of runs, an API over HTTP, and a page. All that it knows is in the folder
//! of runs; killed and started again it goes on where it was.
//!
//! Runs are at work in child processes (`worker`), which the dispatcher begins and takes back
//! (`dispatch`). What is shown of a run is read from its folder (`reading`) and given a form
//! (`views`); `api` serves it, behind the guard.

mod address;
pub(crate) mod api;
mod assets;
mod configurations;
mod dispatch;
mod guard;
mod names;
mod reading;
pub(crate) mod rows;
#[cfg(test)]
mod sample_run;
mod streams;
mod token;
pub(crate) mod views;
mod worker;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::middleware;
use sixfold_tuner::store::folder::FolderError;
use sixfold_tuner::store::lock::{LockError, RunLock};
use tokio::net::TcpListener;
use tokio::sync::watch;

pub(crate) use address::{Place, ServiceFolder};
use configurations::Configurations;
use dispatch::{Dispatcher, Rules};
use guard::Rates;
pub(crate) use names::NameError;
use reading::Shelf;
use rows::Rows;
use streams::Streams;
use token::TokenError;
pub(crate) use token::Tokens;
use views::games::GameShelf;
use views::row::RunRow;

/// How long open requests may take once the service ends; streams are ended at once.
const LAST_REQUESTS: Duration = Duration::from_secs(2);
/// Rows that all listeners share are looked at so often.
const MOMENT: Duration = Duration::from_millis(500);
/// How often a request to stop is looked for.
const GLANCE: Duration = Duration::from_millis(50);

/// What a service goes by.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Folder of runs.
    pub(crate) runs: PathBuf,
    /// Where to listen.
    pub(crate) listen: SocketAddr,
    /// Names that the service goes by besides this machine's own.
    pub(crate) hosts: Vec<String>,
    /// Threads of each run at work.
    pub(crate) threads: u16,
    /// Runs at work at a time.
    pub(crate) running_max: usize,
    /// Folder of engine configurations and jobs that can be named; None for none.
    pub(crate) configs: Option<PathBuf>,
    /// Free bytes below which nothing runs.
    pub(crate) reserve: u64,
    /// Whether runs are only shown.
    pub(crate) is_read_only: bool,
}

/// Why there is no service.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServiceError {
    /// Another one serves the folder.
    #[error("another service has this folder of runs: {0}")]
    Lock(#[from] LockError),
    /// The folder of runs cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// There are no tokens.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// A name that is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The folder of configurations cannot be used.
    #[error("cannot list the configurations in {}: {source}", path.display())]
    Configurations {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}; --listen takes another address")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused something else.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

/// What all requests share.
pub(crate) struct Service {
    settings: Settings,
    port: u16,
    names: Vec<String>,
    tokens: Tokens,
    is_read_only: bool,
    rates: Rates,
    dispatcher: Arc<Dispatcher>,
    rows: Rows,
    /// Runs that are looked at.
    shelf: Shelf,
    /// Games that were played again.
    games: GameShelf,
    streams: Arc<Streams>,
    /// All rows, as they were at a moment: looked at once for all that listen.
    seen: Mutex<Option<(Instant, Arc<Vec<RunRow>>)>>,
    configurations: Configurations,
    /// True once the service ends: streams end with it.
    ending: watch::Receiver<bool>,
}

impl Service {
    /// The cookie that lets a browser look. Cookies are not told apart by port, services are.
    fn cookie_name(&self) -> String {
        format!("sixfold_{}", self.port)
    }
}

impl Service {
    /// The rows of all runs, not older than a moment.
    fn all_rows(&self) -> Arc<Vec<RunRow>> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, rows)) = seen.as_ref().filter(|(at, _)| at.elapsed() < MOMENT) {
            return Arc::clone(rows);
        }
        let names = self.rows.names().unwrap_or_default();
        let rows = names.iter().filter_map(|name| self.rows.row(name).ok());
        let rows = Arc::new(rows.collect());
        *seen = Some((Instant::now(), Arc::clone(&rows)));
        rows
    }
}

/// Serves until `stop` is raised. `ready` is told the address to open, with the token, and what
/// there is to warn of.
///
/// # Errors
/// Whatever keeps it from starting; once it serves, it ends well.
pub(crate) fn serve(
    settings: Settings,
    stop: &AtomicBool,
    ready: impl FnOnce(&Place, &Tokens),
) -> Result<(), ServiceError> {
    let io = |action| move |source| ServiceError::Io { action, source };
    std::fs::create_dir_all(&settings.runs).map_err(io("create the folder of runs"))?;
    let folder = ServiceFolder::of(&settings.runs);
    folder.create().map_err(io("create the service's folder"))?;
    let lock = RunLock::acquire(&folder.lock())?;
    let tokens = Tokens::load_or_make(&folder.tokens())?;
    let configurations = Configurations::read(settings.configs.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(io("start the threads of the server"))?;
    let listener = runtime
        .block_on(TcpListener::bind(settings.listen))
        .map_err(|source| ServiceError::Listen {
            address: settings.listen,
            source,
        })?;
    let address = listener.local_addr().map_err(io("tell the address"))?;
    let names = names::all(&settings.hosts, address.ip())?;
    let (dispatcher, thread) = Dispatcher::start(Rules {
        runs: settings.runs.clone(),
        threads: settings.threads,
        running_max: match settings.is_read_only {
            true => 0,
            false => settings.running_max,
        },
        reserve: settings.reserve,
    })?;
    let (end, ending) = watch::channel(false);
    let service = Arc::new(Service {
        port: address.port(),
        names,
        tokens,
        is_read_only: settings.is_read_only,
        rates: Rates::default(),
        streams: Streams::new(settings.runs.clone()),
        seen: Mutex::default(),
        shelf: Shelf::new(&settings.runs),
        games: GameShelf::default(),
        rows: Rows::new(&settings.runs, Arc::<Dispatcher>::clone(&dispatcher)),
        dispatcher: Arc::clone(&dispatcher),
        configurations,
        ending,
        settings,
    });
    let place = Place::new(address);
    folder
        .announce(&place)
        .map_err(io("announce the service"))?;
    ready(&place, &service.tokens);
    runtime.block_on(answer(listener, service, stop, end));
    dispatcher.stop();
    // What still answers then is cut off: its reader tries again.
    runtime.shutdown_timeout(Duration::from_millis(100));
    let _ = thread.join();
    folder.withdraw();
    drop(lock);
    Ok(())
}

/// Answers requests until `stop` is raised, then ends the streams and gives the rest a moment.
async fn answer(
    listener: TcpListener,
    service: Arc<Service>,
    stop: &AtomicBool,
    end: watch::Sender<bool>,
) {
    let mut ending = service.ending.clone();
    let routes = api::router(Arc::clone(&service));
    // Around the routes, not within: a request is looked at before anything is looked up for it.
    let guarded = tower::Layer::layer(
        &middleware::from_fn_with_state(service, guard::guard),
        routes,
    );
    let guarded = axum::ServiceExt::<axum::extract::Request>::into_make_service_with_connect_info::<
        SocketAddr,
    >(guarded);
    let server = axum::serve(listener, guarded).with_graceful_shutdown(async move {
        let _ = ending.wait_for(|ends| *ends).await;
    });
    let server = tokio::spawn(std::future::IntoFuture::into_future(server));
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(GLANCE).await;
    }
    tracing::info!("ending");
    let _ = end.send(true);
    if tokio::time::timeout(LAST_REQUESTS, server).await.is_err() {
        tracing::info!("requests that took too long are cut off");
    }
}
