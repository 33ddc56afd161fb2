//! The next act run starts from what waits: the open proposal is put into its copy before it begins.

use super::copy::PrivateCopy;
use super::expected::{Expected, accepted, expected};
use super::plan::{OnDisk, Step, step};
use super::{Proposals, blocking};
use crate::store::FileRecord;
use rex_shared::ids::ThreadId;
use rex_shared::wire::problem::Problem;
use rex_shared::wire::proposal::HunkState;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

impl Proposals {
    /// Puts what waits of the thread's proposal into a copy. What the person has changed in the same lines since is
    /// left as theirs.
    pub async fn put_into(
        &self,
        thread: &ThreadId,
        mut copy: PrivateCopy,
    ) -> Result<PrivateCopy, Problem> {
        let Some(proposal) = self.waiting(thread).await? else {
            return Ok(copy);
        };
        for file in proposal.files {
            let sides = self.sides(&file).await?;
            copy = blocking(move || {
                let was = accepted(&file);
                let mut wanted = was.clone();
                wanted.extend(open(&file));
                if let (Ok(from), Ok(to)) = (
                    expected(&file, &sides, &was),
                    expected(&file, &sides, &wanted),
                ) {
                    // What cannot be put there is left to the run, which is told the conversation.
                    drop(bring(&copy.path(), from.as_ref(), to.as_ref()));
                }
                Ok(copy)
            })
            .await?;
        }
        Ok(copy)
    }
}

fn open(file: &FileRecord) -> impl Iterator<Item = (rex_shared::ids::HunkId, Option<String>)> {
    let open = file
        .hunks
        .iter()
        .filter(|hunk| hunk.state == HunkState::Open);
    open.map(|hunk| (hunk.hunk_id.clone(), None))
}

fn bring(root: &Path, was: Option<&Expected>, wanted: Option<&Expected>) -> io::Result<()> {
    let Some(path) = was.or(wanted).map(|file| file.path.as_str()) else {
        return Ok(());
    };
    let file = root.join(path);
    let disk = match fs::symlink_metadata(&file) {
        Ok(metadata) if metadata.is_file() => Some(OnDisk {
            bytes: fs::read(&file)?,
            mode: metadata.permissions().mode() & 0o7777,
        }),
        Ok(_) => return Ok(()),
        Err(_) => None,
    };
    let content = match step(path, disk.as_ref(), was, wanted) {
        Step::Write { after, .. } => after,
        Step::Nothing => disk,
        Step::Conflict(_) => return Ok(()),
    };
    let Some((content, wanted)) = content.zip(wanted) else {
        return fs::remove_file(&file).or(Ok(()));
    };
    let target = root.join(&wanted.path);
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    if target != file {
        fs::remove_file(&file)?;
    }
    fs::write(&target, &content.bytes)?;
    fs::set_permissions(&target, Permissions::from_mode(content.mode))
}
