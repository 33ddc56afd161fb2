//! One act on a person's files: all of them get their new content or none does, whatever ends the bridge meanwhile.
//!
//! The order is the whole of it. What is to be written is noted down; then every new content is laid beside its file,
//! on disk to stay; then the act is noted as going; then each is put in place; then the act is noted as done together
//! with what it means for the proposal. A crash before *going* leaves the old files, and what was laid down is removed
//! at the next start; a crash after it is finished there.

use super::fail;
use super::writing::{self, NotWritten};
use crate::store::{ActState, FileAct, FileWrite, Store, StoreError};
use crate::workspaces::{Root, blocking};
use rex_shared::ids::{Millis, ThreadId, Version};
use rex_shared::wire::problem::{Problem, ProblemType};
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes by their hashes.
pub(super) type Contents = HashMap<Version, Arc<[u8]>>;

/// Does an act. Gives the threads whose rows it changed.
pub(super) async fn carry_out(
    store: &Store,
    root: &Arc<Root>,
    act: FileAct,
    contents: Contents,
    now: Millis,
) -> Result<Vec<ThreadId>, Problem> {
    for (hash, bytes) in &contents {
        store.keep_snapshot(hash, bytes.clone()).await?;
    }
    store.stage_act(act.clone()).await?;
    let (staging, within) = (act.writes.clone(), root.clone());
    let staged = blocking(move || Ok(stage_all(&within, &staging, &contents))).await?;
    if let Err(why) = staged {
        store.drop_act(&act.act_id).await?;
        return Err(not_written(&why));
    }
    store.act_goes(&act.act_id).await?;
    fail::point("accept-going");
    let (going, within) = (act.writes.clone(), root.clone());
    let put = blocking(move || Ok(put_all(&within, &going))).await?;
    if let Err((why, put)) = put {
        take_back(store, root, &act, put).await?;
        return Err(not_written(&why));
    }
    fail::point("accept-put");
    Ok(store.finish_act(&act.act_id, now).await?)
}

fn stage_all(root: &Root, writes: &[FileWrite], contents: &Contents) -> Result<(), NotWritten> {
    for (number, write) in writes.iter().enumerate() {
        let bytes = write
            .after
            .as_ref()
            .and_then(|after| contents.get(&after.hash));
        if let Err(why) = writing::stage(root, write, bytes.map_or(&[], |bytes| bytes)) {
            unstage_all(root, writes);
            return Err(why);
        }
        if number == 0 {
            fail::point("accept-staging");
        }
    }
    Ok(())
}

fn unstage_all(root: &Root, writes: &[FileWrite]) {
    for write in writes {
        writing::unstage(root, write);
    }
}

/// Puts all in place; on a failure, how many were.
fn put_all(root: &Root, writes: &[FileWrite]) -> Result<(), (NotWritten, usize)> {
    for (number, write) in writes.iter().enumerate() {
        writing::put(root, write).map_err(|why| (why, number))?;
        if number == 0 {
            fail::point("accept-putting");
        }
    }
    Ok(())
}

/// Gives the first `put` files back what they had. What cannot be given back now is finished at the next start.
async fn take_back(
    store: &Store,
    root: &Arc<Root>,
    act: &FileAct,
    put: usize,
) -> Result<(), Problem> {
    let mut contents = Contents::new();
    for write in &act.writes[..put] {
        contents.extend(kept(store, write.before.as_ref().map(|content| &content.hash)).await?);
    }
    let (writes, within) = (act.writes.clone(), root.clone());
    let taken_back = blocking(move || {
        unstage_all(&within, &writes);
        let back: Vec<FileWrite> = writes[..put].iter().map(reversed).collect();
        let result = stage_all(&within, &back, &contents)
            .and_then(|()| put_all(&within, &back).map_err(|(why, _)| why));
        Ok(result)
    });
    match taken_back.await? {
        Ok(()) => Ok(store.drop_act(&act.act_id).await?),
        Err(why) => {
            tracing::error!(%why, "files could not be given back what they had; it is finished at the next start");
            Ok(())
        }
    }
}

/// The same write the other way round.
pub(super) fn reversed(write: &FileWrite) -> FileWrite {
    FileWrite {
        before: write.after.clone(),
        after: write.before.clone(),
        ..write.clone()
    }
}

/// Finishes or forgets an act that a crash interrupted. A file that somebody changed since is left as it is now.
pub(super) async fn recover(
    store: &Store,
    root: &Arc<Root>,
    state: ActState,
    act: FileAct,
    now: Millis,
) -> Result<(), Problem> {
    let mut contents = Contents::new();
    if state == ActState::Going {
        for write in &act.writes {
            contents.extend(kept(store, write.after.as_ref().map(|content| &content.hash)).await?);
        }
    }
    let (writes, within) = (act.writes.clone(), root.clone());
    blocking(move || {
        for write in &writes {
            writing::unstage(&within, write);
            let waits = state == ActState::Going
                && writing::holds(&within, &write.path, write.before.as_ref());
            if waits {
                finish(&within, write, &contents);
            }
        }
        Ok(())
    })
    .await?;
    if state == ActState::Going {
        store.finish_act(&act.act_id, now).await?;
    } else {
        store.drop_act(&act.act_id).await?;
    }
    Ok(())
}

fn finish(root: &Root, write: &FileWrite, contents: &Contents) {
    let bytes = write
        .after
        .as_ref()
        .and_then(|after| contents.get(&after.hash));
    let finished = writing::stage(root, write, bytes.map_or(&[], |bytes| bytes))
        .and_then(|()| writing::put(root, write));
    if let Err(why) = finished {
        writing::unstage(root, write);
        tracing::error!(%why, "an accept that a crash interrupted could not be finished for one file");
    }
}

async fn kept(
    store: &Store,
    hash: Option<&Version>,
) -> Result<Option<(Version, Arc<[u8]>)>, StoreError> {
    let Some(hash) = hash else {
        return Ok(None);
    };
    let bytes = store.snapshot(hash).await?;
    Ok(bytes.map(|bytes| (hash.clone(), bytes.into())))
}

fn not_written(why: &NotWritten) -> Problem {
    match why {
        NotWritten::MovedOn(_) => Problem::new(
            ProblemType::MovedOn,
            "The file has just changed",
            format!("{why}. Nothing was written."),
            "Look at it again, then accept again.",
        ),
        NotWritten::Owner(_) | NotWritten::Io { .. } => Problem::new(
            ProblemType::ReadOnly,
            "The files could not be written",
            format!("{why}. Every file is as it was."),
            "Make room or get the rights, then accept again.",
        ),
    }
}
