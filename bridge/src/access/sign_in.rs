//! Signed-in browsers: each has a secret of its own and can be put out alone.
//!
//! Browsers that were seen since the start are known in memory, so that the gate does not wait for the database. When
//! a browser was last seen is written when the bridge ends: no call that only looks changes a row.

use super::code::{Code, Codes};
use super::secret::{Hash, Secret};
use crate::fresh;
use crate::store::{BrowserRecord, Store, StoreError};
use rex_shared::ids::{BrowserId, Millis};
use rex_shared::wire::workspace::Browser;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// A request's browser, and what ends its streams.
#[derive(Debug, Clone)]
pub struct Admitted {
    /// Which browser.
    pub browser: BrowserId,
    /// Cancelled when the browser is put out or the bridge stops.
    pub end: CancellationToken,
}

struct Seen {
    browser: BrowserId,
    hash: Hash,
    at: Millis,
    end: CancellationToken,
}

/// Browsers seen since the start.
#[derive(Default)]
struct Known {
    seen: Vec<Seen>,
    /// Grows with every browser put out, so that one that was looked up before cannot be remembered after.
    put_out: u64,
}

/// Why a sign-in failed although its code was good.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// The operating system gave no random bits.
    #[error("no random bits")]
    Random(#[from] getrandom::Error),
    /// It could not be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The codes that wait and the browsers that are signed in.
pub struct SignIns {
    store: Store,
    codes: Mutex<Codes>,
    known: Mutex<Known>,
    stop: CancellationToken,
}

impl SignIns {
    /// The sign-ins of this store; `stop` ends all their streams.
    pub fn new(store: Store, stop: CancellationToken) -> Self {
        Self {
            store,
            codes: Mutex::default(),
            known: Mutex::default(),
            stop,
        }
    }

    /// A new one-time code.
    pub fn issue(&self, now: Millis) -> Result<Code, getrandom::Error> {
        lock(&self.codes).issue(now)
    }

    /// Uses a code up and signs a browser in, or `None` when the code is not good. When the browser cannot be stored
    /// the code stays good.
    pub async fn exchange(
        &self,
        typed: &str,
        label: &str,
        now: Millis,
    ) -> Result<Option<Secret>, SignInError> {
        let Some(code) = lock(&self.codes).redeem(typed, now) else {
            return Ok(None);
        };
        let secret = Secret::new()?;
        let browser = BrowserRecord {
            browser_id: fresh::id(),
            label: label.to_owned(),
            created_at: now,
            last_used_at: now,
        };
        let added = self.store.add_browser(browser, secret.hash().bytes()).await;
        if let Err(error) = added {
            lock(&self.codes).put_back(code);
            return Err(error.into());
        }
        Ok(Some(secret))
    }

    /// The browser whose secret this is.
    pub async fn admit(&self, secret: &str, now: Millis) -> Result<Option<Admitted>, StoreError> {
        let hash = Hash::of(secret);
        loop {
            let put_out = {
                let mut known = lock(&self.known);
                if let Some(seen) = known.seen.iter_mut().find(|seen| seen.hash.is(&hash)) {
                    seen.at = now;
                    return Ok(Some(seen.admitted()));
                }
                known.put_out
            };
            let Some(browser) = self.store.browser_by_secret(hash.bytes(), now).await? else {
                return Ok(None);
            };
            let mut known = lock(&self.known);
            if known.put_out != put_out || known.seen.iter().any(|seen| seen.hash.is(&hash)) {
                continue;
            }
            let seen = Seen {
                browser: browser.browser_id,
                hash,
                at: now,
                end: self.stop.child_token(),
            };
            let admitted = seen.admitted();
            known.seen.push(seen);
            return Ok(Some(admitted));
        }
    }

    /// Who is signed in, for the browser that asks.
    pub async fn list(&self, current: &BrowserId, now: Millis) -> Result<Vec<Browser>, StoreError> {
        let stored = self.store.browsers(now).await?;
        let known = lock(&self.known);
        let seen_at = |id: &BrowserId| {
            known
                .seen
                .iter()
                .find(|seen| seen.browser == *id)
                .map(|seen| seen.at)
        };
        Ok(stored
            .into_iter()
            .map(|browser| Browser {
                last_used_at: seen_at(&browser.browser_id).unwrap_or(browser.last_used_at),
                current: browser.browser_id == *current,
                browser_id: browser.browser_id,
                label: browser.label,
                created_at: browser.created_at,
            })
            .collect())
    }

    /// Puts one browser out and ends its streams. False when it was not there.
    pub async fn put_out(&self, id: &BrowserId) -> Result<bool, StoreError> {
        let was_there = self.store.remove_browser(id).await?;
        self.forget(|seen| seen.browser == *id);
        Ok(was_there)
    }

    /// Ends every sign-in, every stream and every waiting code.
    pub async fn rotate(&self) -> Result<(), StoreError> {
        lock(&self.codes).clear();
        self.store.end_sign_ins().await?;
        self.forget(|_| true);
        Ok(())
    }

    /// Writes down when each browser was last seen.
    pub async fn note_last_uses(&self) -> Result<(), StoreError> {
        let seen: Vec<_> = lock(&self.known)
            .seen
            .iter()
            .map(|seen| (seen.browser.clone(), seen.at))
            .collect();
        for (browser, at) in seen {
            self.store.touch_browser(&browser, at).await?;
        }
        Ok(())
    }

    fn forget(&self, gone: impl Fn(&Seen) -> bool) {
        let mut known = lock(&self.known);
        known.put_out += 1;
        known.seen.retain(|seen| {
            if gone(seen) {
                seen.end.cancel();
            }
            !gone(seen)
        });
    }
}

impl Seen {
    fn admitted(&self) -> Admitted {
        Admitted {
            browser: self.browser.clone(),
            end: self.end.clone(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
