//! The home: its files, who holds it, the database in it, and the gateways that this names.

use crate::agents::gateway_key;
use crate::home::{self, DATABASE};
use crate::processes::Environment;
use crate::store::{Examined, StoreError, examine};
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::doctor::Check;
use rex_shared::wire::doctor::CheckState::{Bad, Good, Notice};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Less than this and an hour of conversations may not fit.
const LITTLE: u64 = 200 * 1024 * 1024;
const MEGABYTE: f64 = 1_000_000.0;

/// Checks of the home, and apart from them those of the gateways.
pub(super) fn look(home: &Path, environment: &Environment) -> (Vec<Check>, Vec<Check>) {
    if !home.is_dir() {
        let says = format!(
            "{} does not exist yet; REX makes it at its first start",
            home.display()
        );
        return (vec![Check::new("home", Notice, says)], Vec::new());
    }
    let examined = examine(&home.join(DATABASE));
    let gateways = match &examined {
        Ok(Some(examined)) => {
            let own = examined.gateways.iter();
            let own = own.filter(|gateway| !gateway.gateway_id.is_default());
            own.map(|own| gateway(own, environment)).collect()
        }
        _ => Vec::new(),
    };
    let checks = vec![modes(home), holder(home), database(examined), space(home)];
    (checks, gateways)
}

/// The gateways that the database names; none when it cannot be read.
pub(super) fn gateways(home: &Path) -> Vec<Gateway> {
    let examined = examine(&home.join(DATABASE)).ok().flatten();
    examined
        .map(|examined| examined.gateways)
        .unwrap_or_default()
}

/// Whether anybody else can read what lies in the home.
fn modes(home: &Path) -> Check {
    let is_open = |path: &Path| {
        path.metadata()
            .is_ok_and(|data| data.permissions().mode() & 0o077 != 0)
    };
    // Whoever cannot enter the folder cannot open what is in it.
    if is_open(home) {
        let says = format!(
            "{} can be entered by others on this machine",
            home.display()
        );
        return Check::new("home", Bad, says).hint(format!("chmod 700 {}", home.display()));
    }
    Check::new("home", Good, format!("{} is yours alone", home.display()))
}

fn holder(home: &Path) -> Check {
    if !home::is_held(home) {
        return Check::new("lock", Good, "no REX is running on this home");
    }
    match home::holder(home) {
        Some(pid) => Check::new("lock", Good, format!("held by process {pid}")),
        None => Check::new(
            "lock",
            Notice,
            "held by a process that did not write its number down",
        ),
    }
}

fn database(examined: Result<Option<Examined>, StoreError>) -> Check {
    let examined = match examined {
        Ok(Some(examined)) => examined,
        Ok(None) => return Check::new("database", Notice, "there is none yet"),
        Err(error) => {
            return Check::new("database", Bad, error.to_string()).hint(
                "Copies made before each change of its form lie beside it, named rex.db.before-….",
            );
        }
    };
    let size = examined.bytes as f64 / MEGABYTE;
    let log = examined.log_bytes as f64 / MEGABYTE;
    let shape = format!("schema {}, {size:.1} MB, log {log:.1} MB", examined.schema);
    if examined.damage.is_empty() {
        return Check::new("database", Good, format!("sound; {shape}"));
    }
    let damage = examined.damage.join("; ");
    Check::new("database", Bad, format!("damaged ({damage}); {shape}"))
        .hint("Stop REX and keep a copy of the file before anything else.")
}

fn space(home: &Path) -> Check {
    let Ok(disk) = rustix::fs::statvfs(home) else {
        return Check::new("disk space", Notice, "the system does not tell");
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let says = format!("{:.0} MB free", free as f64 / MEGABYTE);
    if free < LITTLE {
        return Check::new("disk space", Bad, says)
            .hint("Make room; REX stores every word before it shows it.");
    }
    Check::new("disk space", Good, says)
}

/// Whether a gateway could be asked. The key itself is never part of what is said.
fn gateway(gateway: &Gateway, environment: &Environment) -> Check {
    let name = format!("gateway {}", gateway.name);
    let address = gateway.base_url.as_deref().unwrap_or("the program's own");
    match &gateway.key_ref {
        None => Check::new(name, Good, format!("{address}, without a key")),
        Some(key_ref) if gateway_key(environment, key_ref).is_some() => {
            Check::new(name, Good, format!("{address}, key found in {key_ref}"))
        }
        Some(key_ref) => Check::new(name, Bad, format!("{address}, but no key in {key_ref}"))
            .hint("Set it where REX is started, and start REX again."),
    }
}
