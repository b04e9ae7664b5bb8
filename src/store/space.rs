//! Free disk space.

use std::path::Path;

/// Returns the free space, bytes, at a folder, which need not exist yet; `None` if the system does not report it.
pub(crate) fn free(folder: &Path) -> Option<u64> {
    let folder = std::path::absolute(folder).ok()?;
    folder.ancestors().find(|folder| folder.is_dir()).and_then(free_in)
}

#[cfg(unix)]
fn free_in(folder: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(folder).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

#[cfg(not(unix))]
fn free_in(_folder: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_to_be_made_has_the_room_of_the_one_around_it() {
        let folder = tempfile::tempdir().unwrap();
        let rooms = [folder.path().to_owned(), folder.path().join("no/such")].map(|path| free(&path).is_some());
        assert_eq!(rooms, [cfg!(unix); 2]);
    }
}
