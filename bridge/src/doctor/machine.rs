//! The machine: who runs REX, what listens where, what keeps agents from writing, how many files can be watched.

use rex_shared::wire::agent::Sandbox;
use rex_shared::wire::doctor::Check;
use rex_shared::wire::doctor::CheckState::{Bad, Good, NotTried, Notice};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What a process that listens has as its state in the system's table.
const LISTENS: &str = "0A";
/// Fewer than this and a large workspace is looked through again and again instead.
const FEW_WATCHES: u64 = 65_536;

/// Checks of the machine, and of the port where a bridge serves.
pub(super) fn look(port: Option<u16>) -> Vec<Check> {
    let mut checks = vec![user()];
    checks.extend(port.map(|port| listens(port, listeners(port).as_deref())));
    checks.extend(watches());
    checks
}

fn user() -> Check {
    if rustix::process::getuid().is_root() {
        return Check::new(
            "user",
            Notice,
            "REX runs as root, and so do the agents it starts outside a sandbox",
        )
        .hint("Run it as an ordinary user.");
    }
    Check::new("user", Good, "an ordinary one")
}

fn listens(port: u16, addresses: Option<&[IpAddr]>) -> Check {
    let Some(addresses) = addresses else {
        return Check::new(
            "port",
            Notice,
            format!("{port}; the system does not tell who listens"),
        );
    };
    let others: Vec<String> = addresses
        .iter()
        .filter(|address| !address.is_loopback())
        .map(ToString::to_string)
        .collect();
    if addresses.is_empty() {
        Check::new("port", Bad, format!("nobody listens on {port}")).hint("Start REX again.")
    } else if others.is_empty() {
        Check::new(
            "port",
            Good,
            format!("{port}, reachable from this machine alone"),
        )
    } else {
        let says = format!("{port} is open to others, at {}", others.join(", "));
        Check::new("port", Bad, says)
            .hint("REX itself never does this. Find out what else listens there.")
    }
}

/// The addresses on which anybody listens on this port.
fn listeners(port: u16) -> Option<Vec<IpAddr>> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|path| std::fs::read_to_string(path).ok());
    let [Some(v4), v6] = tables else {
        return None;
    };
    let v6 = v6.unwrap_or_default();
    let lines = v4.lines().chain(v6.lines());
    Some(lines.filter_map(|line| listener(line, port)).collect())
}

/// A line of the table: number, local address, other address, state.
fn listener(line: &str, port: u16) -> Option<IpAddr> {
    let mut fields = line.split_whitespace().skip(1);
    let (address, local_port) = fields.next()?.split_once(':')?;
    if u16::from_str_radix(local_port, 16) != Ok(port) || fields.nth(1)? != LISTENS {
        return None;
    }
    // Words of four bytes, each as a number of this machine.
    let words = address.as_bytes().chunks(8).map(|word| {
        let word = u32::from_str_radix(std::str::from_utf8(word).ok()?, 16).ok()?;
        Some(word.to_ne_bytes())
    });
    let bytes = words.collect::<Option<Vec<_>>>()?.concat();
    if let Ok(v4) = <[u8; 4]>::try_from(bytes.as_slice()) {
        return Some(Ipv4Addr::from(v4).into());
    }
    let v6 = <[u8; 16]>::try_from(bytes.as_slice()).ok()?;
    Some(Ipv6Addr::from(v6).into())
}

fn watches() -> Option<Check> {
    let told = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?;
    let allowed: u64 = told.trim().parse().ok()?;
    Some(if allowed < FEW_WATCHES {
        let says = format!(
            "{allowed} folders can be watched; a larger workspace is looked through at times instead"
        );
        Check::new("watching", Notice, says).hint(format!(
            "sysctl fs.inotify.max_user_watches={}",
            FEW_WATCHES * 8
        ))
    } else {
        Check::new(
            "watching",
            Good,
            format!("{allowed} folders can be watched"),
        )
    })
}

/// What was found to keep agents from writing; `None` when nothing was tried.
pub(super) fn sandbox(sandbox: Option<Sandbox>) -> Check {
    const NAME: &str = "sandbox";
    match sandbox {
        None => Check::new(NAME, NotTried, "not tried since this start"),
        Some(Sandbox::Bubblewrap) => Check::new(
            NAME,
            Good,
            "bubblewrap holds: no run can write outside its temp folder and its records",
        ),
        Some(Sandbox::Landlock) => {
            let says = "Landlock holds: no run can write elsewhere, but it can change the mode and times of a file, \
                 read REX's home and reach the sockets of services";
            Check::new(NAME, Notice, says)
                .hint("Install bubblewrap (Debian: apt-get install bubblewrap).")
        }
        Some(Sandbox::None) => {
            let says =
                "NOT ENFORCED: nothing on this machine keeps an agent's program from writing";
            let hint = "Install bubblewrap (Debian: apt-get install bubblewrap), and let user namespaces be made.";
            Check::new(NAME, Bad, says).hint(hint)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_listens_is_read_from_the_systems_table() {
        let v4 = "   0: 0100007F:1CDE 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1";
        assert_eq!(listener(v4, 7390), Some(Ipv4Addr::LOCALHOST.into()));
        assert_eq!(listener(v4, 7391), None, "another port");
        let connected = v4.replace(" 0A ", " 01 ");
        assert_eq!(listener(&connected, 7390), None, "nobody listens");
        let v6 = "   1: 00000000000000000000000001000000:1CDE 00000000000000000000000000000000:0000 0A 0:0";
        assert_eq!(listener(v6, 7390), Some(Ipv6Addr::LOCALHOST.into()));
        assert_eq!(listener("  sl  local_address rem_address   st", 7390), None);
    }

    #[test]
    fn a_port_that_others_reach_is_bad_and_so_is_one_that_nobody_serves() {
        let state = |addresses: &[IpAddr]| listens(1, Some(addresses)).state;
        assert_eq!(
            state(&[Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]),
            Good
        );
        assert_eq!(
            state(&[Ipv4Addr::LOCALHOST.into(), Ipv4Addr::UNSPECIFIED.into()]),
            Bad
        );
        assert_eq!(state(&[]), Bad);
    }

    #[test]
    fn only_bubblewrap_is_good_without_a_but() {
        let state = |held| sandbox(held).state;
        assert_eq!(state(Some(Sandbox::Bubblewrap)), Good);
        assert_eq!(state(Some(Sandbox::Landlock)), Notice);
        assert_eq!(state(Some(Sandbox::None)), Bad);
        assert_eq!(state(None), NotTried);
    }
}
