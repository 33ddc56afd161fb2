//! The loopback port: one number for both families, remembered by the home.

use crate::home::Home;
use socket2::{Domain, Protocol, Socket, Type};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

/// The port of a home that never had one.
pub const FIRST: u16 = 7390;
/// How many ports after a taken one are tried.
const TRIED: u16 = 100;
const MEMORY: &str = "port";

/// Why there is no port.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// The one that was asked for is another program's.
    #[error("port {0} is taken by another program; leave --port out to take the next free one")]
    Taken(u16),
    /// None of those tried was free.
    #[error("ports {0} to {1} are all taken; name a free one with --port")]
    NoneFree(u16, u16),
    /// The system said no.
    #[error("no port on loopback could be opened: {0}")]
    Io(#[from] io::Error),
}

/// A port that is ours.
#[derive(Debug)]
pub struct Bound {
    /// Its number.
    pub port: u16,
    /// The port that this home had before and another program has now.
    pub instead_of: Option<u16>,
    /// `127.0.0.1`, and `::1` where the machine has it.
    pub listeners: Vec<TcpListener>,
}

/// Binds the port that was asked for, else the one the home remembers, else the next free one, which is remembered.
/// Port 0 is any free one, for tests, and not remembered.
pub fn bind(home: &Home, asked: Option<u16>) -> Result<Bound, PortError> {
    if let Some(port) = asked {
        let bound = listen(port)?.ok_or(PortError::Taken(port))?;
        if port != 0 {
            remember(home, port);
        }
        return Ok(bound);
    }
    let remembered = home.read(MEMORY).and_then(|text| text.trim().parse().ok());
    let first = remembered.unwrap_or(FIRST);
    let last = first.saturating_add(TRIED);
    for port in first..=last {
        if let Some(bound) = listen(port)? {
            if remembered != Some(port) {
                remember(home, port);
            }
            return Ok(Bound {
                instead_of: (port != first).then_some(first),
                ..bound
            });
        }
    }
    Err(PortError::NoneFree(first, last))
}

fn remember(home: &Home, port: u16) {
    if let Err(error) = home.write(MEMORY, &format!("{port}\n")) {
        tracing::warn!(%error, "the port could not be remembered");
    }
}

/// Both families on one port, or `None` when either is taken.
fn listen(port: u16) -> io::Result<Option<Bound>> {
    // For any free port the first pick may be taken on the other family.
    for _ in 0..TRIED {
        let v4 = match socket(Domain::IPV4, (Ipv4Addr::LOCALHOST, port).into()) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Ok(None),
            bound => bound?,
        };
        let number = v4.local_addr()?.port();
        let mut listeners = vec![v4];
        match socket(Domain::IPV6, (Ipv6Addr::LOCALHOST, number).into()) {
            Ok(v6) => listeners.push(v6),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && port == 0 => continue,
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Ok(None),
            Err(error) => tracing::debug!(%error, "no IPv6 on loopback"),
        }
        return Ok(Some(Bound {
            port: number,
            instead_of: None,
            listeners,
        }));
    }
    Ok(None)
}

fn socket(family: Domain, address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(family, Type::STREAM, Some(Protocol::TCP))?;
    // Takes a port over from a bridge that just ended, never from one that listens.
    socket.set_reuse_address(true)?;
    if family == Domain::IPV6 {
        socket.set_only_v6(true)?;
    }
    socket.bind(&address.into())?;
    socket.listen(1024)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> (tempfile::TempDir, Home) {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::take(&temp.path().join("home")).unwrap();
        (temp, home)
    }

    #[test]
    fn only_loopback_is_listened_on_and_both_families_share_the_port() {
        let (_temp, home) = home();
        let bound = bind(&home, Some(0)).unwrap();
        for listener in &bound.listeners {
            let address = listener.local_addr().unwrap();
            assert!(address.ip().is_loopback());
            assert_eq!(address.port(), bound.port);
        }
        assert!(home.read(MEMORY).is_none());
    }

    #[test]
    fn a_taken_port_is_left_for_the_next_one_which_is_remembered() {
        let (_temp, home) = home();
        let stranger = bind(&home, Some(0)).unwrap();
        home.write(MEMORY, &stranger.port.to_string()).unwrap();
        let bound = bind(&home, None).unwrap();
        assert!(bound.port > stranger.port);
        assert_eq!(bound.instead_of, Some(stranger.port));
        assert_eq!(home.read(MEMORY).unwrap().trim(), bound.port.to_string());
        let port = bound.port;
        drop(bound);
        let again = bind(&home, None).unwrap();
        assert_eq!((again.port, again.instead_of), (port, None));
    }

    #[test]
    fn a_port_that_was_asked_for_is_that_one_or_none() {
        let (_temp, home) = home();
        let stranger = bind(&home, Some(0)).unwrap();
        let refusal = bind(&home, Some(stranger.port)).unwrap_err();
        assert!(matches!(refusal, PortError::Taken(port) if port == stranger.port));
        assert!(home.read(MEMORY).is_none());
    }
}
