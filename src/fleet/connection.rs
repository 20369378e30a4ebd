//! A connection that waits for its server, and comes back by itself.

use std::io::{Error, ErrorKind};
use std::time::{Duration, Instant};

use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event};
use tokio::sync::watch;

use crate::othello::search::Stop;

use super::address::Address;
use super::error::{FleetError, heard};
use super::standing::Standing;

/// The first pause before another try; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// The wish to stop is looked at this often.
pub(super) const OBEY_EVERY: Duration = Duration::from_millis(20);
/// A server that says nothing for two of these is taken for dead.
const PING_EVERY: Duration = Duration::from_secs(10);
/// How long a server may take to let us in.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The pause before try number `tries`, from 1.
pub(super) fn pause(tries: usize) -> Duration {
    let doublings = tries.saturating_sub(1).min(16) as u32;
    FIRST_PAUSE.saturating_mul(1 << doublings).min(LONGEST_PAUSE)
}

/// The pause before the client's try number `tries`, from 1: it counts the very first one, too.
fn pause_before(tries: usize) -> Duration {
    tries.checked_sub(2).map_or(Duration::ZERO, |more| pause(more + 1))
}

pub(super) struct Connection {
    pub client: Client,
    /// Whether it is up; each change is a new connection or a lost one.
    pub is_up: watch::Receiver<bool>,
    /// How it is just now.
    pub standing: watch::Receiver<Standing>,
}

/// Connects; while there is no server, reports that to `waits` and tries again.
pub(super) async fn connect(
    address: &Address,
    name: &str,
    stop: &Stop,
    waits: &mut dyn FnMut(&FleetError),
) -> Result<Connection, FleetError> {
    let mut tries = 0;
    loop {
        let error = match unless_stopped(stop, connect_once(address, name)).await {
            Ok(connection) => return Ok(connection),
            Err(error @ FleetError::Unreachable { .. }) => error,
            Err(error) => return Err(error),
        };
        tries += 1;
        waits(&error);
        sleep(pause(tries), stop).await;
        if stop.is_stopped() {
            return Err(FleetError::Interrupted);
        }
    }
}

/// The result of work, unless there is a wish to stop before.
pub(super) async fn unless_stopped<T>(
    stop: &Stop,
    work: impl Future<Output = Result<T, FleetError>>,
) -> Result<T, FleetError> {
    tokio::select! {
        outcome = work => outcome,
        () = sleep(Duration::MAX, stop) => Err(FleetError::Interrupted),
    }
}

/// Sleeps, unless there is a wish to stop.
pub(super) async fn sleep(time: Duration, stop: &Stop) {
    let end = tokio::time::Instant::now().checked_add(time);
    while !stop.is_stopped() && end.is_none_or(|end| tokio::time::Instant::now() < end) {
        tokio::time::sleep(OBEY_EVERY.min(time)).await;
    }
}

pub(super) async fn connect_once(address: &Address, name: &str) -> Result<Connection, FleetError> {
    let (sender, is_up) = watch::channel(false);
    let (stands, standing) = watch::channel(Standing::Up);
    let options = ConnectOptions::new()
        .name(name)
        .connection_timeout(TIMEOUT)
        .ping_interval(PING_EVERY)
        .reconnect_delay_callback(pause_before)
        .event_callback(move |event| {
            stands.send_modify(|standing| *standing = standing.after(&event, Instant::now()));
            match event {
                Event::Connected => drop(sender.send(true)),
                Event::Disconnected => drop(sender.send(false)),
                other => tracing::info!(%other, "the fleet's server"),
            }
            std::future::ready(())
        });
    let options = with_credentials(options, address)?;
    // Without what the address says of us: a log may show it.
    let client = options.connect(address.bare()).await.map_err(|error| told(&error, address))?;
    Ok(Connection { client, is_up, standing })
}

fn with_credentials(
    options: ConnectOptions,
    address: &Address,
) -> Result<ConnectOptions, FleetError> {
    let options = match address.user() {
        Some((user, Some(password))) => options.user_and_password(user, password),
        Some((token, None)) => options.token(token),
        None => options,
    };
    let Some(file) = &address.credentials else { return Ok(options) };
    let failed = |cause: &str| FleetError::CredentialsFile {
        file: file.display().to_string(),
        cause: cause.to_owned(),
    };
    // What the parser says could repeat what it read.
    let no_credentials = "it is not a file of credentials";
    let text = std::fs::read_to_string(file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => failed("there is no such file"),
        std::io::ErrorKind::PermissionDenied => failed("it may not be read"),
        _ => failed(no_credentials),
    })?;
    options.credentials(&text).map_err(|_| failed(no_credentials))
}

fn told(error: &ConnectError, address: &Address) -> FleetError {
    let server = address.to_string();
    let cause = std::error::Error::source(error).map_or_else(|| heard(error), heard);
    if error.kind() == ConnectErrorKind::TimedOut {
        return FleetError::silent(&server);
    }
    let is_about_tls = ["certificate", "corrupt message", "TLS", "tls", "handshake"]
        .iter()
        .any(|word| cause.contains(word));
    match error.kind() {
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
            FleetError::Credentials(server)
        }
        ConnectErrorKind::Tls => FleetError::Tls { server, cause },
        _ if is_about_tls => FleetError::Tls { server, cause },
        _ if is_no_server(error) => {
            FleetError::Unreachable { server, cause: format!("no NATS server answers ({cause})") }
        }
        _ => FleetError::Unreachable { server, cause },
    }
}

/// Whether what answered is none of what a server says.
fn is_no_server(error: &ConnectError) -> bool {
    let cause = std::error::Error::source(error);
    let kind = cause.and_then(|cause| cause.downcast_ref::<Error>()).map(Error::kind);
    matches!(kind, Some(ErrorKind::InvalidData | ErrorKind::InvalidInput))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_stay_bearable() {
        let pauses: Vec<u128> = (1..=9).map(|tries| pause(tries).as_millis()).collect();
        assert_eq!(pauses, [100, 200, 400, 800, 1600, 3200, 6400, 8000, 8000]);
        assert_eq!(pause(usize::MAX), LONGEST_PAUSE);
        let before: Vec<u128> = (0..=3).map(|tries| pause_before(tries).as_millis()).collect();
        assert_eq!(before, [0, 0, 100, 200]);
    }
}
