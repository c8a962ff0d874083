//! What differs between operating systems: folders on stable storage, file modes, taking a name.

pub(crate) use imp::{
    move_folder_to_free_name, new_file_permissions, new_folder_permissions, sync_folder, take_after,
};

#[cfg(unix)]
mod imp {
    use std::fs::{self, File, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    use std::path::Path;

    /// Brings a folder's list of names to stable storage.
    pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    /// What a new file may be used for, before the user's mask.
    pub(crate) fn new_file_permissions() -> Option<Permissions> {
        Some(Permissions::from_mode(0o666))
    }

    /// What a new folder may be used for, before the user's mask.
    pub(crate) fn new_folder_permissions() -> Option<Permissions> {
        Some(Permissions::from_mode(0o777))
    }

    /// Gives `file` the mode of the file that it will replace, and its owner where it may.
    pub(crate) fn take_after(file: &File, replaced: &Metadata) -> io::Result<()> {
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (replaced.uid(), replaced.gid()) {
            // Only the superuser may give files away; for others the new owner is who writes.
            let _ = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
        }
        file.set_permissions(replaced.permissions())
    }

    /// Renames `folder` to `target`, which must not exist. A rename alone would silently replace
    /// an empty folder; creating the target first is what takes the name, and fails if it is taken.
    pub(crate) fn move_folder_to_free_name(folder: &Path, target: &Path) -> io::Result<()> {
        fs::create_dir(target)?;
        fs::rename(folder, target).inspect_err(|_| {
            // Only removes the empty folder of the line above; a filled one is somebody else's.
            let _ = fs::remove_dir(target);
        })
    }
}

#[cfg(not(unix))]
mod imp {
    use std::fs::{self, File, Metadata, Permissions};
    use std::io;
    use std::path::Path;

    /// Folders cannot be synced here; the file system's own journal keeps renames.
    pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
        Ok(())
    }

    /// New files inherit what their folder says.
    pub(crate) fn new_file_permissions() -> Option<Permissions> {
        None
    }

    /// New folders inherit what their folder says.
    pub(crate) fn new_folder_permissions() -> Option<Permissions> {
        None
    }

    /// Gives `file` the read-only mark of the file that it will replace.
    pub(crate) fn take_after(file: &File, replaced: &Metadata) -> io::Result<()> {
        file.set_permissions(replaced.permissions())
    }

    /// Renames `folder` to `target`, which must not exist: here a rename never replaces a folder.
    pub(crate) fn move_folder_to_free_name(folder: &Path, target: &Path) -> io::Result<()> {
        fs::rename(folder, target).map_err(|error| {
            if target.exists() {
                io::Error::new(io::ErrorKind::AlreadyExists, error)
            } else {
                error
            }
        })
    }
}
