//! A worker: takes jobs, searches, publishes results. It knows no book and keeps no state. Its slots
//! (`slot`) do the jobs, its search threads (`search_thread`) search.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream;
use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::task::LocalSet;

use crate::othello::eval::{Evaluator, PatternEvaluator};
use crate::othello::program::VERSION;
use crate::othello::search::Stop;

use super::address::Address;
use super::connection::{Connection, OBEY_EVERY, connect};
use super::error::FleetError;
use super::message::{LONGEST_NAME, MESSAGE_FORMAT, bytes, is_of_a_name};
use super::queue::HELLO;
use super::rate::Rate;
use super::search_thread::search_for_ever;
use super::signature::Signature;
use super::slot::{Jobs, Slot};
use super::standing::Standing;
use super::status::WorkerStatus;
use super::worker_state::{State, WorkSummary};

/// Jobs for each thread: one is searched, the next is there already.
const FOR_EACH_THREAD: usize = 2;
/// A sign of life comes this often.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// Jobs and nodes a second are those of this time.
const LATELY: Duration = Duration::from_secs(30);
/// The longest time that the end may take.
const GOODBYE: Duration = Duration::from_secs(2);
/// The most characters of a name that we give ourselves.
const LONGEST_OWN_NAME: usize = 48;
const _: () = assert!(LONGEST_OWN_NAME <= LONGEST_NAME);

#[derive(Clone, Debug)]
pub(crate) struct WorkOptions {
    pub address: Address,
    /// Searches at once.
    pub threads: usize,
}

/// Works until `stop` is raised; `watch` gets the progress several times a second.
pub(crate) fn work(
    evaluator: &Arc<PatternEvaluator>,
    options: &WorkOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(&WorkSummary),
) -> Result<WorkSummary, FleetError> {
    let signature = Signature::of(evaluator);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| FleetError::Start(error.to_string()))?;
    let threads = options.threads.max(1);
    let (orders, ordered) = channel();
    let ordered = Arc::new(Mutex::new(ordered));
    let mut searching = Vec::new();
    for _ in 0..threads {
        let (ordered, evaluator) = (Arc::clone(&ordered), Arc::clone(evaluator));
        let thread = std::thread::Builder::new().name("search".to_owned());
        let thread = thread.spawn(move || search_for_ever(&ordered, &evaluator, threads));
        searching.push(thread.map_err(|error| FleetError::Start(error.to_string()))?);
    }
    let state = Rc::new(State {
        name: name()?,
        signature,
        weights: evaluator.name(),
        threads,
        started: Instant::now(),
        orders,
        jobs: RefCell::new(Rate::over(LATELY)),
        nodes: RefCell::new(Rate::over(LATELY)),
        contact: Cell::default(),
        at_hand: Cell::new(0),
        failure: RefCell::new(None),
        streak: RefCell::default(),
        waits: RefCell::new(None),
    });
    let ended = runtime.block_on(LocalSet::new().run_until(main(
        Rc::clone(&state),
        &options.address,
        stop,
        watch,
    )));
    let summary = state.summary();
    // Dropping the tasks, and with them the last sender, ends the threads.
    runtime.shutdown_background();
    drop(state);
    for thread in searching {
        // A search that panicked has reported it.
        let _ = thread.join();
    }
    ended.map(|()| summary)
}

/// A name that no other worker has, of what subjects may hold.
fn name() -> Result<String, FleetError> {
    let number = getrandom::u32().map_err(|error| FleetError::Start(error.to_string()))?;
    let host: String = host()
        .chars()
        .map(|c| if is_of_a_name(c) { c } else { '-' })
        .take(LONGEST_OWN_NAME - 9)
        .collect();
    let host = if host.is_empty() { "worker" } else { &host };
    Ok(format!("{host}-{number:08x}"))
}

#[cfg(unix)]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

async fn main(
    state: Rc<State>,
    address: &Address,
    stop: &Stop,
    watch_progress: &mut dyn FnMut(&WorkSummary),
) -> Result<(), FleetError> {
    let name = format!("rosebill worker {}", state.name);
    let waits = &mut |error: &FleetError| {
        *state.waits.borrow_mut() = Some(error.to_string());
        watch_progress(&state.summary());
    };
    let connection = match connect(address, &name, stop, waits).await {
        Ok(connection) => connection,
        Err(FleetError::Interrupted) => return Ok(()),
        Err(error) => return Err(error),
    };
    let Connection { client, mut is_up, mut standing } = connection;
    let note = |standing: Standing| {
        state.contact.set(standing.contact());
        *state.waits.borrow_mut() = None;
    };
    note(*standing.borrow_and_update());
    let context = jetstream::new(client.clone());
    let mut shut_out = client
        .subscribe(format!("rosebill.shutout.{}", state.name))
        .await
        .map_err(|error| FleetError::refused("listen", &error))?;
    let mut hellos =
        client.subscribe(HELLO).await.map_err(|error| FleetError::refused("listen", &error))?;
    let (ending, is_ending) = watch::channel(false);
    let consumer = Rc::new(Jobs::new(context.clone()));
    let slots: Vec<_> = (0..FOR_EACH_THREAD * state.threads)
        .map(|_| {
            let slot = Slot {
                state: Rc::clone(&state),
                context: context.clone(),
                jobs: Rc::clone(&consumer),
                is_ending: is_ending.clone(),
                is_up: is_up.clone(),
            };
            tokio::task::spawn_local(slot.run())
        })
        .collect();
    let mut told = None;
    let (mut nodes, mut since) = (0, Instant::now());
    let outcome = loop {
        if stop.is_stopped() {
            break Ok(());
        }
        if let Some(error) = state.failure.borrow_mut().take() {
            break Err(error);
        }
        if told.is_none_or(|told: Instant| told.elapsed() >= TELL_EVERY) {
            told = Some(Instant::now());
            let seconds = since.elapsed().as_secs_f64().max(0.1);
            let all_nodes = state.nodes.borrow().total();
            let speed = (all_nodes - nodes) as f64 / seconds;
            (nodes, since) = (all_nodes, Instant::now());
            tell(&client, &state, speed as u64, false).await;
        }
        watch_progress(&state.summary());
        tokio::select! {
            Some(_) = shut_out.next() => break Err(FleetError::ShutOut),
            Some(_) = hellos.next() => told = None,
            Ok(()) = standing.changed() => {
                let now = *standing.borrow_and_update();
                note(now);
                if now.is_over() {
                    break Err(FleetError::Credentials(address.to_string()));
                }
            }
            // A coordinator that counts the fleet's threads hears at once of a worker that came
            // back.
            Ok(()) = is_up.changed() => told = told.filter(|_| !*is_up.borrow_and_update()),
            () = tokio::time::sleep(OBEY_EVERY) => {}
        }
    };
    let _ = ending.send(true);
    let goodbye = async {
        for slot in slots {
            let _ = slot.await;
        }
        tell(&client, &state, 0, true).await;
        let _ = client.flush().await;
    };
    let _ = tokio::time::timeout(GOODBYE, goodbye).await;
    outcome
}

async fn tell(client: &async_nats::Client, state: &State, nodes_per_second: u64, is_ending: bool) {
    let status = WorkerStatus {
        format: MESSAGE_FORMAT,
        name: state.name.clone(),
        version: VERSION.to_owned(),
        weights: state.weights.clone(),
        signature: state.signature.to_string(),
        threads: state.threads as u64,
        jobs: state.jobs.borrow().total(),
        nodes_per_second,
        is_ending,
    };
    let said = client.publish(status.subject(), bytes(&status).into());
    // While the server is away nothing can be published.
    let _ = tokio::time::timeout(Duration::from_millis(500), said).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_into_a_subject() {
        let name = name().unwrap();
        assert!(name.len() <= LONGEST_OWN_NAME, "{name}");
        assert!(name.chars().all(is_of_a_name));
        assert_ne!(name, super::name().unwrap());
    }
}
