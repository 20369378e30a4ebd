//! Whatever can fail fails, at random, for as long as one likes.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::desk::{Desk, EVERYTHING, Running, count, told};
use crate::dice::Dice;
use crate::proxy::Proxy;
use crate::server::NatsServer;

/// Workers at once.
const WORKERS: usize = 3;

/// What goes on.
struct Scene {
    server: NatsServer,
    /// Before the coordinator, and before the workers.
    proxies: [Proxy; 2],
    desk: Desk,
    arguments: Vec<String>,
    coordinator: Running,
    workers: Vec<Running>,
    stopped: Vec<usize>,
}

impl Scene {
    fn set(server: NatsServer, arguments: Vec<String>) -> Self {
        let proxies = [Proxy::to(&server.address()), Proxy::to(&server.address())];
        let desk = Desk::of(&proxies[0].url());
        let coordinator = coordinator(&desk, &arguments);
        let workers = (0..WORKERS).map(|_| desk.worker_at(&proxies[1].url())).collect();
        Self { server, proxies, desk, arguments, coordinator, workers, stopped: Vec::new() }
    }

    /// Lets something fail, and says what.
    fn fail(&mut self, dice: &mut Dice) -> String {
        let number = dice.below(WORKERS);
        let side = dice.below(2);
        let proxy = &self.proxies[side];
        let name = ["the coordinator", "the workers"][side];
        match dice.below(10) {
            0 | 1 => {
                self.workers[number] = self.desk.worker_at(&self.proxies[1].url());
                self.stopped.retain(|&stopped| stopped != number);
                format!("worker {number} is killed")
            }
            2 => {
                self.workers[number].signal("STOP");
                self.stopped.push(number);
                format!("worker {number} is stopped")
            }
            3 | 4 => {
                self.coordinator.kill();
                self.coordinator = coordinator(&self.desk, &self.arguments);
                "the coordinator is killed".to_owned()
            }
            5 => {
                self.server.restart();
                "the server is killed".to_owned()
            }
            6 => {
                self.server.restart_wiped();
                "the server loses its data".to_owned()
            }
            7 => {
                proxy.cut();
                format!("{name} are cut off")
            }
            8 => {
                proxy.swallow(true);
                format!("{name} hear nothing")
            }
            _ => {
                proxy.double(dice.below(2) == 0);
                proxy.reorder(dice.below(2) == 0);
                proxy.delay(Duration::from_millis(dice.below(20) as u64));
                format!("{name} have a bad line")
            }
        }
    }

    /// What is stopped or swallowed goes on.
    fn go_on(&mut self) {
        self.proxies.iter().for_each(|proxy| proxy.swallow(false));
        for number in self.stopped.drain(..) {
            self.workers[number].signal("CONT");
        }
    }
}

fn coordinator(desk: &Desk, arguments: &[String]) -> Running {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = desk.command(&arguments);
    Running::of(command.args(["--fleet", "--ack-wait", "1s", "-q"]))
}

/// 50 faults while a book is made by far more than 30,000 searches; `ROSEBILL_FLEET_FAULTS` says how many,
/// `ROSEBILL_FLEET_DISCS` how large the book becomes, `ROSEBILL_FLEET_SEED` which ones.
#[test]
#[ignore = "long: cargo test --features fleet --test fleet -- --ignored --nocapture random_faults"]
fn random_faults_leave_the_book_of_an_undisturbed_run() {
    let Some(server) = NatsServer::start("random_faults") else { return };
    let faults = count("ROSEBILL_FLEET_FAULTS", 50);
    let discs = count("ROSEBILL_FLEET_DISCS", 12).to_string();
    let seed = count("ROSEBILL_FLEET_SEED", 20_261_122);
    let mut arguments: Vec<String> = EVERYTHING.map(str::to_owned).to_vec();
    let most = arguments.iter().position(|argument| argument == "--max-discs").unwrap();
    arguments[most + 1] = discs;
    arguments.extend(["--level", "4", "--in-flight", "600"].map(str::to_owned));
    let mut dice = Dice(seed);
    let mut scene = Scene::set(server, arguments.clone());
    let started = Instant::now();
    let mut done = 0;
    while done < faults && scene.coordinator.runs() {
        sleep(Duration::from_millis(500 + dice.below(3000) as u64));
        scene.go_on();
        done += 1;
        let what = scene.fail(&mut dice);
        println!("{:6.1} s, fault {done}: {what}", started.elapsed().as_secs_f64());
    }
    scene.go_on();
    println!("{:6.1} s: no more faults", started.elapsed().as_secs_f64());
    assert!(done == faults, "growth was done after {done} faults: take more discs");
    for proxy in &scene.proxies {
        proxy.double(false);
        proxy.reorder(false);
        proxy.delay(Duration::ZERO);
    }
    let Scene { desk, coordinator, .. } = scene;
    let ended = coordinator.ended_within(Duration::from_secs(3600));
    assert!(ended.status.success(), "{}", told(&ended));
    println!("{:6.1} s: done", started.elapsed().as_secs_f64());
    let here: Vec<&str> = arguments.iter().map(String::as_str).collect();
    desk.ok(&[&here[..], &["--threads", "2", "--book", "here.db"]].concat());
    desk.ok(&["verify"]);
    let positions =
        |book: &str| desk.json(&["info", "--by-discs", "--book", book])["positions"].clone();
    println!("{} positions", positions("book.db"));
    assert_eq!(positions("book.db"), positions("here.db"));
    let (found, expected) = (desk.export("book.db", "a.jsonl"), desk.export("here.db", "b.jsonl"));
    assert!(found == expected, "the books differ");
}
