//! Seeing a process out: the ladder, and what its end leaves behind.

use super::family::Family;
use super::pipes::Stdin;
use rustix::process::Signal;
use std::collections::VecDeque;
use std::process::ExitStatus;
use std::time::Duration;
use tokio::process::Child;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until};

/// How a process is asked to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Its work is done.
    Finish,
    /// It was interrupted by its protocol.
    Stop,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rung {
    CloseStdin,
    Terminate,
    Kill,
}

type Ladder = [(Duration, Rung); 3];

/// A program that was told to stop may want to say how far it came, so its stdin stays open for a moment.
const STOP: Ladder = [
    (Duration::from_millis(1000), Rung::CloseStdin),
    (Duration::from_millis(2000), Rung::Terminate),
    (Duration::from_millis(4500), Rung::Kill),
];
const FINISH: Ladder = [
    (Duration::ZERO, Rung::CloseStdin),
    (Duration::from_millis(5000), Rung::Terminate),
    (Duration::from_millis(8000), Rung::Kill),
];
/// What outlives its parent has nobody left to report to.
const GRACE_OF_LEFTOVERS: Duration = Duration::from_millis(400);
const KILL_ROUNDS: u32 = 20;

/// Holds the child from its start to its end. Orders that stop coming (the handle is gone) mean kill.
pub(super) struct Guardian {
    pub(super) child: Child,
    pub(super) family: Family,
    pub(super) stdin: Stdin,
    pub(super) orders: mpsc::UnboundedReceiver<Order>,
    pub(super) gone: oneshot::Sender<ExitStatus>,
}

impl Guardian {
    /// Waits for the end, whoever brings it about, tells it, and clears up behind it.
    pub(super) async fn guard(mut self) {
        let Ok(status) = self.see_out().await else {
            tracing::error!("the system lost a child process");
            return;
        };
        // Whoever listened may be gone; the clearing up is done all the same.
        let _gone = self.gone.send(status);
        clear_up(self.family).await;
    }

    async fn see_out(&mut self) -> std::io::Result<ExitStatus> {
        let mut rungs: VecDeque<(Instant, Rung)> = VecDeque::new();
        let mut held = true;
        loop {
            let next = rungs.front().copied();
            tokio::select! {
                status = self.child.wait() => return status,
                order = self.orders.recv(), if held => match order {
                    Some(Order::Finish) if !rungs.is_empty() => {}
                    Some(Order::Finish) => rungs = ladder(FINISH),
                    Some(Order::Stop) => rungs = ladder(STOP),
                    None => {
                        held = false;
                        rungs = VecDeque::from([(Instant::now(), Rung::Kill)]);
                    }
                },
                () = until(next) => {
                    if let Some((_, rung)) = rungs.pop_front() {
                        self.climb(rung).await;
                    }
                }
            }
        }
    }

    async fn climb(&mut self, rung: Rung) {
        match rung {
            Rung::CloseStdin => {
                self.stdin.close();
                with(&mut self.family, Family::look).await;
            }
            Rung::Terminate => with(&mut self.family, Family::terminate).await,
            Rung::Kill => with(&mut self.family, Family::kill).await,
        }
    }
}

/// Ends what is left of a family whose leader is gone.
pub(super) async fn clear_up(mut family: Family) {
    if with(&mut family, |family| family.signal(Signal::TERM)).await == 0 {
        return;
    }
    sleep(GRACE_OF_LEFTOVERS).await;
    // A member that forks while it is killed is met in the next round.
    for _ in 0..KILL_ROUNDS {
        if with(&mut family, |family| family.signal(Signal::KILL)).await == 0 {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    tracing::warn!("a run left processes that cannot be killed");
}

/// Does something with the family where blocking does no harm.
async fn with<T: Default + Send + 'static>(
    family: &mut Family,
    act: impl FnOnce(&mut Family) -> T + Send + 'static,
) -> T {
    let mut taken = std::mem::take(family);
    let done = tokio::task::spawn_blocking(move || {
        let outcome = act(&mut taken);
        (taken, outcome)
    });
    let Ok((back, outcome)) = done.await else {
        return T::default();
    };
    *family = back;
    outcome
}

fn ladder(rungs: Ladder) -> VecDeque<(Instant, Rung)> {
    let now = Instant::now();
    rungs.map(|(after, rung)| (now + after, rung)).into()
}

async fn until(rung: Option<(Instant, Rung)>) {
    match rung {
        Some((at, _)) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
