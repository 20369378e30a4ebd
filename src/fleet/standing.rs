//! How a connection is.

use std::time::{Duration, Instant};

use async_nats::{ClientError, ConnectErrorKind, Event};

use crate::app::Contact;

/// So often in a row, and for so long, the server may refuse credentials that it has taken before: it may
/// be in the middle of a change. Then it has other ones for good, and is not asked any more.
const LEAST_REFUSALS: usize = 3;
const LONGEST_REFUSED: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    Up,
    Away,
    /// The server does not let us in again.
    Refused {
        /// So often in a row.
        times: usize,
        /// The first of these refusals.
        first: Instant,
        last: Instant,
    },
}

impl Standing {
    /// How it is after an event that has just come.
    pub(crate) fn after(self, event: &Event, now: Instant) -> Self {
        match event {
            Event::Connected => Self::Up,
            Event::Disconnected => Self::Away,
            Event::ClientError(ClientError::Other(why)) if is_refusal(why) => match self {
                Self::Refused { times, first, .. } => {
                    Self::Refused { times: times.saturating_add(1), first, last: now }
                }
                Self::Up | Self::Away => Self::Refused { times: 1, first: now, last: now },
            },
            // Of several servers one may be away and the others refuse.
            _ => self,
        }
    }

    /// As shown to users.
    pub(crate) const fn contact(self) -> Contact {
        match self {
            Self::Up => Contact::Stands,
            Self::Away => Contact::Lost,
            Self::Refused { .. } => Contact::Refused,
        }
    }

    /// Whether there is nothing more to be hoped for.
    pub(crate) fn is_over(self) -> bool {
        matches!(self, Self::Refused { times, first, last }
            if times >= LEAST_REFUSALS && last.saturating_duration_since(first) >= LONGEST_REFUSED)
    }
}

/// Whether an attempt to connect again failed by the credentials: the client gives its kind in words
/// only.
fn is_refusal(why: &str) -> bool {
    let kinds = [ConnectErrorKind::AuthorizationViolation, ConnectErrorKind::Authentication];
    kinds.iter().any(|kind| kind.to_string() == why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_refusals_in_a_row_and_for_a_while_end_it() {
        let failed =
            |kind: ConnectErrorKind| Event::ClientError(ClientError::Other(kind.to_string()));
        let refused = failed(ConnectErrorKind::AuthorizationViolation);
        let away = failed(ConnectErrorKind::Io);
        let start = Instant::now();
        // One event every so many seconds.
        let after = |from: Standing, pause: u64, events: &[&Event]| {
            let at = |number: usize| start + Duration::from_secs(pause * number as u64);
            let numbered = events.iter().enumerate();
            numbered.fold(from, |standing, (number, event)| standing.after(event, at(number)))
        };
        let lost = after(Standing::Up, 1, &[&Event::Disconnected, &away, &away]);
        assert_eq!((lost, lost.contact()), (Standing::Away, Contact::Lost));
        let once = after(lost, 1, &[&refused, &away]);
        assert_eq!((once.contact(), once.is_over()), (Contact::Refused, false));
        assert!(!after(lost, 20, &[&refused; 2]).is_over());
        assert!(!after(lost, 1, &[&refused; 10]).is_over());
        assert!(after(lost, 1, &[&refused; 11]).is_over());
        assert!(after(lost, 5, &[&refused, &away, &refused, &refused]).is_over());
        let back = after(lost, 5, &[&refused, &refused, &Event::Connected]);
        assert_eq!((back, back.contact()), (Standing::Up, Contact::Stands));
        assert!(!after(back, 9, &[&Event::Disconnected, &refused, &refused]).is_over());
    }
}
