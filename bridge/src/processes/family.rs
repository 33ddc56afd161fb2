//! Everything a run started, also what left its process group, and signals to it.
//!
//! A program can leave the group (`setsid`) and so escape a signal to it. On Linux `/proc` tells the group, the
//! parents and the environment of every process of this user; where there is no `/proc`, only the group is reached.

use super::environment::RUN_VARIABLE;
use super::runner::Identity;
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::path::Path;

/// A run's processes: the leader, its group, its descendants, and all that carry its mark.
#[derive(Debug, Default)]
pub(super) struct Family {
    /// `None` when the process of that number is not the one that was started.
    pub(super) leader: Option<Identity>,
    /// The value of [`RUN_VARIABLE`], or its part before a `/` for all processes of a run.
    pub(super) mark: String,
    /// Whether the leader and its child are only around the program, each in its own way deaf or deadly to a signal
    /// that asks.
    is_wrapped: bool,
    /// Who was a member when it was looked. One that sheds the mark and loses its parent is remembered.
    known: BTreeMap<u32, Stat>,
}

/// What `/proc/PID/stat` says of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stat {
    parent: u32,
    group: u32,
    started: u64,
    gone: bool,
}

impl Family {
    /// The family of a process just started.
    pub(super) fn new(leader: Identity, mark: String, is_wrapped: bool) -> Self {
        Self {
            leader: Some(leader),
            mark,
            is_wrapped,
            known: BTreeMap::new(),
        }
    }

    /// The family of a run of an earlier bridge. A number may have been used again since, even with the same start
    /// (the machine was started anew), so the leader counts only if it carries the mark.
    pub(super) fn left_behind(left: Identity, mark: String) -> Self {
        let mut family = Self {
            leader: None,
            mark,
            is_wrapped: false,
            known: BTreeMap::new(),
        };
        if started(left.pid) == Some(left.started) && family.marks(left.pid) {
            family.leader = Some(left);
        }
        family
    }

    /// Sends `signal` to every member and says how many there were. Reads `/proc`, so not for an async thread.
    pub(super) fn signal(&mut self, signal: Signal) -> usize {
        self.look();
        let all = self.known.iter();
        all.filter(|(pid, stat)| send(**pid, stat.started, signal))
            .count()
    }

    /// Asks every member to go that can be asked. Reads `/proc`.
    pub(super) fn terminate(&mut self) {
        if !self.is_wrapped {
            self.signal(Signal::TERM);
            self.signal_group(Signal::TERM);
            return;
        }
        self.look();
        let around = self.leader.map(|leader| leader.pid);
        for (pid, stat) in &self.known {
            if Some(*pid) != around && Some(stat.parent) != around {
                send(*pid, stat.started, Signal::TERM);
            }
        }
    }

    /// Leaves no member alive. Reads `/proc`.
    pub(super) fn kill(&mut self) {
        // To every member first, for when the leader is gone its children are no longer known by it.
        self.signal(Signal::KILL);
        self.signal_group(Signal::KILL);
    }

    /// Takes note of who is a member now. Reads `/proc`.
    pub(super) fn look(&mut self) {
        self.known = self.members();
    }

    /// Sends `signal` to the group. Only while the leader is not reaped: its number may be another's afterwards.
    fn signal_group(&self, signal: Signal) {
        let group = self.leader.and_then(|leader| number(leader.pid));
        // One that is gone needs no signal.
        let _sent = group.map(|group| rustix::process::kill_process_group(group, signal));
    }

    fn members(&self) -> BTreeMap<u32, Stat> {
        let all = processes();
        let leader = self.leader.filter(|leader| {
            all.get(&leader.pid)
                .is_none_or(|stat| stat.started == leader.started)
        });
        let mut members: BTreeMap<u32, Stat> = all
            .iter()
            .filter(|(pid, stat)| {
                leader.is_some_and(|leader| {
                    stat.group == leader.pid && stat.started >= leader.started
                }) || self.known.get(pid).map(|known| known.started) == Some(stat.started)
                    || self.marks(**pid)
            })
            .map(|(pid, stat)| (*pid, *stat))
            .collect();
        loop {
            let children: Vec<(u32, Stat)> = all
                .iter()
                .filter(|(pid, stat)| {
                    members.contains_key(&stat.parent) && !members.contains_key(pid)
                })
                .map(|(pid, stat)| (*pid, *stat))
                .collect();
            if children.is_empty() {
                return members;
            }
            members.extend(children);
        }
    }

    /// Whether the process was started with this run's mark. The environment of another user's process cannot be read.
    fn marks(&self, pid: u32) -> bool {
        let Ok(environment) = std::fs::read(format!("/proc/{pid}/environ")) else {
            return false;
        };
        let wanted = format!("{RUN_VARIABLE}={}", self.mark);
        environment.split(|byte| *byte == 0).any(|variable| {
            let rest = variable.strip_prefix(wanted.as_bytes());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        })
    }
}

/// When the process started, if the system tells.
pub(super) fn started(pid: u32) -> Option<u64> {
    stat(Path::new("/proc"), pid).map(|stat| stat.started)
}

/// Every process but the first, this one and those that only wait to be reaped.
fn processes() -> BTreeMap<u32, Stat> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return BTreeMap::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| *pid > 1 && *pid != std::process::id())
        .filter_map(|pid| Some((pid, stat(Path::new("/proc"), pid)?)))
        .filter(|(_, stat)| !stat.gone)
        .collect()
}

fn stat(proc: &Path, pid: u32) -> Option<Stat> {
    parse_stat(&std::fs::read_to_string(proc.join(pid.to_string()).join("stat")).ok()?)
}

/// The program's name stands in parentheses and may hold anything, so fields are counted from the last one.
fn parse_stat(text: &str) -> Option<Stat> {
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    Some(Stat {
        gone: matches!(*fields.first()?, "Z" | "X"),
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
    })
}

/// Without descriptors of processes nobody was found to signal either.
#[cfg(not(target_os = "linux"))]
fn send(_pid: u32, _expected_start: u64, _signal: Signal) -> bool {
    false
}

/// Signals a process through a descriptor of it, so that a number used again is never hit.
#[cfg(target_os = "linux")]
fn send(pid: u32, expected_start: u64, signal: Signal) -> bool {
    use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};
    let Some(raw) = number(pid) else {
        return false;
    };
    let Ok(descriptor) = pidfd_open(raw, PidfdFlags::empty()) else {
        return false;
    };
    started(pid) == Some(expected_start) && pidfd_send_signal(descriptor, signal).is_ok()
}

/// A number as the system takes it; 0 and 1 would mean ourselves and everything.
fn number(pid: u32) -> Option<rustix::process::Pid> {
    let raw = i32::try_from(pid).ok().filter(|raw| *raw > 1)?;
    rustix::process::Pid::from_raw(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_name_cannot_forge_the_numbers_behind_it() {
        let line = "4711 (x) R 1 1 (y)) S 17 42 42 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 987654 0 0";
        assert_eq!(
            parse_stat(line),
            Some(Stat {
                parent: 17,
                group: 42,
                started: 987_654,
                gone: false
            })
        );
        assert_eq!(parse_stat("4711 (half"), None);
    }

    #[test]
    fn nothing_is_ever_sent_to_init_or_to_our_own_group() {
        for pid in [0, 1, u32::MAX] {
            assert_eq!(number(pid), None, "{pid}");
        }
    }

    #[test]
    fn a_number_that_was_used_again_is_not_hit() {
        let own = std::process::id();
        let start = started(own).unwrap();
        assert!(!send(own, start + 1, Signal::KILL));
    }
}
