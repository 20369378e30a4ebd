//! A bad network: between a client and the server stands a proxy that cuts, swallows, delays, doubles
//! and reorders.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{sleep, spawn};
use std::time::Duration;

use crate::frames::{Frame, Frames};

/// A message that is held back for the next one to overtake goes on after so long.
const HELD: Duration = Duration::from_millis(5);

/// What is wrong just now.
#[derive(Default)]
struct Faults {
    /// Nothing passes, and nobody is told.
    swallows: AtomicBool,
    /// Who connects is cut off.
    refuses: AtomicBool,
    /// What passes does so after so many milliseconds.
    delay: AtomicU64,
    /// Every message passes twice.
    doubles: AtomicBool,
    /// Every other message is overtaken by the one after it.
    reorders: AtomicBool,
    /// The scores of results that pass are changed.
    lies: AtomicBool,
    /// Jobs that pass may take no time.
    hurries: AtomicBool,
    /// The proxy is gone.
    ended: AtomicBool,
    /// Messages that were doubled, and that were overtaken.
    doubled: AtomicU64,
    overtaken: AtomicU64,
}

/// A proxy; it ends with this.
pub struct Proxy {
    /// Host and port.
    pub address: String,
    faults: Arc<Faults>,
    connections: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    /// One that does nothing wrong yet, before the server at this address.
    pub fn to(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let faults = Arc::new(Faults::default());
        let connections = Arc::new(Mutex::new(Vec::new()));
        let (seen, kept, server) =
            (Arc::clone(&faults), Arc::clone(&connections), server.to_owned());
        spawn(move || {
            for client in listener.incoming() {
                let Ok(client) = client else { continue };
                if seen.ended.load(Ordering::Relaxed) {
                    break;
                }
                if seen.refuses.load(Ordering::Relaxed) {
                    continue;
                }
                let Ok(server) = TcpStream::connect(&server) else { continue };
                let mut kept = kept.lock().unwrap();
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let faults = Arc::clone(&seen);
                    spawn(move || pass_on(from, to, &faults));
                }
                kept.extend([client, server]);
            }
        });
        Self { address, faults, connections }
    }

    /// As `--fleet` takes it.
    pub fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    /// Closes all connections; new ones are let in.
    pub fn cut(&self) {
        for connection in self.connections.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    /// Whether nobody is let in; who is connected stays.
    pub fn refuse(&self, on: bool) {
        self.faults.refuses.store(on, Ordering::Relaxed);
    }

    /// Whether nothing passes, as where a cable was pulled.
    pub fn swallow(&self, on: bool) {
        self.faults.swallows.store(on, Ordering::Relaxed);
    }

    /// How long what passes takes.
    pub fn delay(&self, time: Duration) {
        self.faults.delay.store(time.as_millis() as u64, Ordering::Relaxed);
    }

    /// Whether messages pass twice.
    pub fn double(&self, on: bool) {
        self.faults.doubles.store(on, Ordering::Relaxed);
    }

    /// Whether messages overtake each other.
    pub fn reorder(&self, on: bool) {
        self.faults.reorders.store(on, Ordering::Relaxed);
    }

    /// Whether the scores of results are changed, as by a machine whose memory is broken.
    pub fn lie(&self, on: bool) {
        self.faults.lies.store(on, Ordering::Relaxed);
    }

    /// Whether jobs may take no time, so that they fail as on a machine on which nothing succeeds.
    pub fn hurry(&self, on: bool) {
        self.faults.hurries.store(on, Ordering::Relaxed);
    }

    /// How many messages were doubled, and how many overtaken.
    pub fn counts(&self) -> (u64, u64) {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (count(&self.faults.doubled), count(&self.faults.overtaken))
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.faults.ended.store(true, Ordering::Relaxed);
        self.cut();
        // Wakes the thread that waits for who connects.
        let _ = TcpStream::connect(&self.address);
    }
}

/// What is doubled and reordered: jobs, results and what is said of them. Requests to the server itself
/// are answered one by one, and nothing on a single connection doubles or reorders those.
fn is_ours(frame: &Frame) -> bool {
    frame.subject().is_some_and(|subject| {
        ["rosebill.", "$JS.ACK."].iter().any(|start| subject.starts_with(start))
    })
}

/// Changes the last digit of each score in a result.
fn lie(frame: &mut Frame) {
    if !frame.subject().is_some_and(|subject| subject.starts_with("rosebill.result.")) {
        return;
    }
    let body = frame.body_mut();
    for at in 0..body.len() {
        if body[..at].ends_with(b"\"score\":") {
            let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
            let length = body[at..].iter().take_while(|byte| is_part(byte)).count();
            if let Some(last) = body[at..at + length].last_mut() {
                *last = b'0' + (*last - b'0' + 5) % 10;
            }
        }
    }
}

/// Makes a job one that may take no time.
fn hurry(frame: &mut Frame) {
    if !frame.subject().is_some_and(|subject| subject.starts_with("rosebill.job.")) {
        return;
    }
    let (limit, none) = (b"\"seconds\":3600", b"\"seconds\":   0");
    let body = frame.body_mut();
    if let Some(at) = body.windows(limit.len()).position(|part| part == limit) {
        body[at..at + none.len()].copy_from_slice(none);
    }
}

/// Passes on one direction of a connection until it ends.
fn pass_on(mut from: TcpStream, mut to: TcpStream, faults: &Faults) {
    let on = |fault: &AtomicBool| fault.load(Ordering::Relaxed);
    let mut frames = Frames::default();
    let mut held: Option<Frame> = None;
    let mut bytes = vec![0; 65536];
    from.set_read_timeout(Some(HELD)).unwrap();
    'open: loop {
        let mut out: Vec<u8> = Vec::new();
        match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => frames.push(&bytes[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                out.extend(held.take().into_iter().flat_map(|frame| frame.bytes));
            }
            Err(_) => break,
        }
        while let Some(mut frame) = frames.next() {
            if on(&faults.lies) {
                lie(&mut frame);
            }
            if on(&faults.hurries) {
                hurry(&mut frame);
            }
            if !is_ours(&frame) {
                out.extend(frame.bytes);
                continue;
            }
            let copies = if on(&faults.doubles) { 2 } else { 1 };
            faults.doubled.fetch_add(copies - 1, Ordering::Relaxed);
            if held.is_none() && on(&faults.reorders) {
                held = Some(frame);
                continue;
            }
            (0..copies).for_each(|_| out.extend_from_slice(&frame.bytes));
            if let Some(overtaken) = held.take() {
                faults.overtaken.fetch_add(1, Ordering::Relaxed);
                (0..copies).for_each(|_| out.extend_from_slice(&overtaken.bytes));
            }
        }
        if out.is_empty() {
            continue;
        }
        sleep(Duration::from_millis(faults.delay.load(Ordering::Relaxed)));
        while on(&faults.swallows) {
            if on(&faults.ended) {
                break 'open;
            }
            sleep(HELD);
        }
        if to.write_all(&out).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
