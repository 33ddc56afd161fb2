//! `rex link`: a sign-in link and its code, from the bridge that holds the home.

use super::say;
use crate::control::{self, ControlError, Link, LinkAsked};
use crate::fresh;
use crate::home::{self, Home};
use crate::store::Store;
use anyhow::Context as _;
use std::path::Path;

pub(super) async fn run(named: Option<&Path>, rotate: bool) -> anyhow::Result<()> {
    let root = home::locate(named)?;
    let asked = LinkAsked { rotate };
    match control::ask::<Link>(&root, control::LINK, &asked).await {
        Ok((link, _)) => {
            if rotate {
                say("Every browser is signed out.");
            }
            say(&format!("Sign in:  {}", link.sign_in_url));
            say(&format!("or type:  {}   at {}", link.code, link.url));
            say("The code works once, within ten minutes.");
            Ok(())
        }
        Err(ControlError::NotRunning(_)) if rotate && root.exists() => {
            rotate_alone(&root).await?;
            say("Every browser is signed out. No REX is running; start one with: rex FOLDER");
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// With no bridge running this process may be the one that writes, for as long as it holds the home.
async fn rotate_alone(root: &Path) -> anyhow::Result<()> {
    let home = Home::take(root)?;
    let store =
        Store::open(&home.database(), fresh::now()).context("the database could not be opened")?;
    store.end_sign_ins().await?;
    store.close().await;
    Ok(())
}
