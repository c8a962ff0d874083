//! Engine configurations and jobs that requests may name: the files of one folder, and no others.
//! They are read when they are asked for, so that a file that was changed counts at once.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sixfold_engine::config::EngineConfig;
use sixfold_tuner::job::Job;
use utoipa::ToSchema;

use super::ServiceError;
use crate::workspace::words::game_words;

/// Largest file worth reading.
const BYTES_MAX: u64 = 1 << 20;

/// What a configuration is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// An engine: what a job tunes, or plays against.
    Engine,
    /// A job.
    Job,
}

impl Kind {
    const fn folder(self) -> &'static str {
        match self {
            Kind::Engine => "engines",
            Kind::Job => "jobs",
        }
    }
}

/// A configuration in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct Listed {
    /// Its name: that of its file without the ending.
    pub(crate) name: String,
    /// What it is for.
    pub(crate) kind: Kind,
    /// The game of an engine, or of a job's engine; null where it cannot be read.
    #[schema(example = "dots and boxes 5x5")]
    pub(crate) game: Option<String>,
    /// Why it cannot be used; null where it can.
    pub(crate) error: Option<String>,
}

/// The folder of configurations.
#[derive(Clone, Debug)]
pub(super) struct Configurations {
    folder: Option<PathBuf>,
}

/// Why a configuration is not to be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum FindError {
    /// There is none of that name.
    #[error("the service has no configuration \"{name}\"; {}", known(has))]
    Missing {
        /// What was asked for.
        name: String,
        /// What there is.
        has: Vec<String>,
    },
    /// The system refused.
    #[error("cannot read the configuration \"{name}\": {source}")]
    Io {
        /// What was asked for.
        name: String,
        /// What the system said.
        source: io::Error,
    },
}

fn known(has: &[String]) -> String {
    match has.is_empty() {
        true => "it has none at all: --configs names a folder of them, or give the configuration \
                 itself as `text` with a `name`"
            .to_owned(),
        false => format!("it has {}", has.join(", ")),
    }
}

impl Configurations {
    /// The configurations in `folder`, of which `engines` and `jobs` are the parts.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub(super) fn read(folder: Option<&Path>) -> Result<Self, ServiceError> {
        let configurations = Self {
            folder: folder.map(Path::to_owned),
        };
        if let Some(folder) = folder {
            fs::read_dir(folder).map_err(|source| ServiceError::Configurations {
                path: folder.to_owned(),
                source,
            })?;
        }
        Ok(configurations)
    }

    /// All of them, by kind and name.
    pub(super) fn list(&self) -> io::Result<Vec<Listed>> {
        let mut list = Vec::new();
        for kind in [Kind::Engine, Kind::Job] {
            let names = self.names(kind)?;
            list.extend(names.into_iter().map(|name| self.look(kind, name)));
        }
        Ok(list)
    }

    fn look(&self, kind: Kind, name: String) -> Listed {
        let game = self
            .text(kind, &name)
            .map_err(|error| error.to_string())
            .and_then(|text| {
                let file = PathBuf::from(format!("{name}.toml"));
                let game = match kind {
                    Kind::Engine => EngineConfig::parse(&file, &text).map(|it| game_words(it.game)),
                    Kind::Job => Job::parse_with(&file, &text, &|name| self.find(name))
                        .map(|it| game_words(it.engine.config.game)),
                };
                game.map_err(|error| error.to_string())
            });
        let (game, error) = match game {
            Ok(game) => (Some(game), None),
            Err(error) => (None, Some(error)),
        };
        Listed {
            name,
            kind,
            game,
            error,
        }
    }

    /// The text of a configuration.
    ///
    /// # Errors
    /// There is none of that name, or it cannot be read.
    pub(super) fn text(&self, kind: Kind, name: &str) -> Result<String, FindError> {
        let io = |source| FindError::Io {
            name: name.to_owned(),
            source,
        };
        let has = self.names(kind).map_err(io)?;
        // Only names of the list become paths.
        let (Some(folder), true) = (&self.folder, has.iter().any(|it| it == name)) else {
            let name = name.to_owned();
            return Err(FindError::Missing { name, has });
        };
        let path = folder.join(kind.folder()).join(format!("{name}.toml"));
        if fs::metadata(&path).map_err(io)?.len() > BYTES_MAX {
            return Err(io(io::Error::other("it is larger than a MiB")));
        }
        fs::read_to_string(&path).map_err(io)
    }

    /// The engine that a job names: by its name, or by the path that a job file would have.
    pub(super) fn find(&self, named: &str) -> Result<(PathBuf, String), String> {
        let name = named.rsplit(['/', '\\']).next().unwrap_or(named);
        let name = name.strip_suffix(".toml").unwrap_or(name);
        let text = self.text(Kind::Engine, name);
        let text = text.map_err(|error| error.to_string())?;
        Ok((PathBuf::from(format!("{name}.toml")), text))
    }

    fn names(&self, kind: Kind) -> io::Result<Vec<String>> {
        let Some(folder) = &self.folder else {
            return Ok(Vec::new());
        };
        let entries = match fs::read_dir(folder.join(kind.folder())) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(name) = name.strip_suffix(".toml") else {
                continue;
            };
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            if !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_plain) {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> Configurations {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
        Configurations::read(Some(&folder)).unwrap()
    }

    #[test]
    fn what_is_shipped_can_be_used_by_name() {
        let list = shipped().list().unwrap();
        let broken: Vec<_> = list.iter().filter(|it| it.error.is_some()).collect();
        assert!(broken.is_empty(), "{broken:?}");
        let games = |kind| list.iter().filter(move |it| it.kind == kind).count();
        assert!(games(Kind::Engine) > 3 && games(Kind::Job) > 3);
        let (path, text) = shipped().find("../engines/dots-staged.toml").unwrap();
        assert_eq!(path, Path::new("dots-staged.toml"));
        assert_eq!(shipped().find("dots-staged").unwrap().1, text);
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let all = shipped();
        for name in [
            "../../Cargo",
            "..",
            ".",
            "",
            "/etc/passwd",
            "jobs/dots-quick",
            "dots-staged.toml",
            "dots-staged\0",
            "..\\engines\\dots-staged",
        ] {
            let error = all.text(Kind::Engine, name).unwrap_err();
            assert!(matches!(error, FindError::Missing { .. }), "{name}");
        }
        // Of a path only the last part counts, and that has to be a name of the list.
        assert!(
            all.find("../../Cargo.toml")
                .unwrap_err()
                .contains("it has amazons")
        );
    }

    #[test]
    fn without_a_folder_there_are_none_and_a_wrong_one_is_refused() {
        let none = Configurations::read(None).unwrap();
        assert_eq!(none.list().unwrap(), []);
        assert!(none.find("a").unwrap_err().contains("--configs"));
        assert!(Configurations::read(Some(Path::new("/nowhere/at/all"))).is_err());
    }
}
