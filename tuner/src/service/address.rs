//! Where a service is: its own folder under that of the runs, by which commands on the same machine
//! find it.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sixfold_tuner::store::atomic::write_atomically;
use sixfold_tuner::store::lock::{LockError, RunLock};

/// Its name can be no run's.
const FOLDER: &str = ".service";

/// The service's own folder.
#[derive(Clone, Debug)]
pub(crate) struct ServiceFolder(PathBuf);

/// Where a service answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Place {
    /// Such as `http://127.0.0.1:8613`.
    pub(crate) url: String,
}

impl Place {
    /// Where a service that listens on `address` answers on its own machine.
    pub(super) fn new(address: SocketAddr) -> Place {
        let local = match address {
            SocketAddr::V4(it) if it.ip().is_unspecified() => {
                SocketAddr::from(([127, 0, 0, 1], it.port()))
            }
            SocketAddr::V6(it) if it.ip().is_unspecified() => {
                SocketAddr::from((std::net::Ipv6Addr::LOCALHOST, it.port()))
            }
            other => other,
        };
        Place {
            url: format!("http://{local}"),
        }
    }

    /// The address to open in a browser. The token is behind the `#`: browsers keep that part to
    /// themselves.
    pub(crate) fn to_open(&self, token: &str) -> String {
        format!("{}/#token={token}", self.url)
    }
}

impl ServiceFolder {
    /// That of the service over a folder of runs.
    pub(crate) fn of(runs: &Path) -> Self {
        Self(runs.join(FOLDER))
    }

    pub(super) fn create(&self) -> io::Result<()> {
        fs::create_dir_all(&self.0)
    }

    /// Held while a service is there.
    pub(super) fn lock(&self) -> PathBuf {
        self.0.join("lock")
    }

    /// The tokens.
    pub(crate) fn tokens(&self) -> PathBuf {
        self.0.join("tokens.json")
    }

    fn place_file(&self) -> PathBuf {
        self.0.join("address.json")
    }

    /// Says where the service answers.
    pub(super) fn announce(&self, place: &Place) -> io::Result<()> {
        let text = serde_json::to_string(place)?;
        write_atomically(&self.place_file(), text.as_bytes()).map_err(io::Error::other)
    }

    /// Says that it does not any more. A lock that is free says the same.
    pub(super) fn withdraw(&self) {
        let _ = fs::remove_file(self.place_file());
    }

    /// Where the service over this folder answers; None when there is none, or none yet.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn running(&self) -> Result<Option<Place>, LockError> {
        if RunLock::holder(&self.lock())?.is_none() {
            return Ok(None);
        }
        let text = fs::read_to_string(self.place_file()).ok();
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_can_be_opened_on_the_same_machine() {
        let url = |address: &str| Place::new(address.parse().unwrap()).url;
        assert_eq!(url("127.0.0.1:8613"), "http://127.0.0.1:8613");
        assert_eq!(url("0.0.0.0:80"), "http://127.0.0.1:80");
        assert_eq!(url("[::]:80"), "http://[::1]:80");
        assert_eq!(url("192.0.2.7:80"), "http://192.0.2.7:80");
        let place = Place::new("127.0.0.1:1".parse().unwrap());
        assert_eq!(place.to_open("ab"), "http://127.0.0.1:1/#token=ab");
    }

    #[test]
    fn a_service_is_there_while_its_lock_is_held() {
        let runs = tempfile::tempdir().unwrap();
        let folder = ServiceFolder::of(runs.path());
        assert_eq!(folder.running().unwrap(), None);
        folder.create().unwrap();
        let place = Place::new("127.0.0.1:1".parse().unwrap());
        folder.announce(&place).unwrap();
        assert_eq!(folder.running().unwrap(), None, "left over by a killed one");
        let lock = RunLock::acquire(&folder.lock()).unwrap();
        assert_eq!(folder.running().unwrap(), Some(place));
        folder.withdraw();
        assert_eq!(folder.running().unwrap(), None);
        drop(lock);
    }
}
