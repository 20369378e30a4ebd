//! A page in a browser: what there is by role and label, and what people do with it.

use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// How long a page may take for what it must do, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// How large and how bright the screen is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Screen {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// Whether its user likes it dark.
    pub dark: bool,
}

impl Screen {
    /// A desk's.
    pub const WIDE: Self = Self { width: 1280, height: 900, dark: false };
    /// The same at night.
    pub const DARK: Self = Self { dark: true, ..Self::WIDE };
    /// A phone's.
    pub const PHONE: Self = Self { width: 390, height: 844, dark: false };
}

/// The driver of a browser; it ends with this.
struct Driver {
    child: Child,
    port: u16,
}

/// How often the driver may find no port.
const STARTS: usize = 5;

impl Driver {
    /// None where there is no browser.
    fn start() -> Option<Self> {
        let is_there = |program: &str| {
            let quiet = Command::new(program)
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            quiet.is_ok_and(|status| status.success())
        };
        if !(is_there("chromium") && is_there("chromedriver")) {
            return None;
        }
        // It takes a free port itself: one that was looked for before might be gone. The same port must be free
        // in both kinds of addresses, and else it ends at once: then it is tried again.
        let started = (0..STARTS).find_map(|_| Self::try_start());
        Some(started.expect("chromedriver tells its port"))
    }

    fn try_start() -> Option<Self> {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
        });
        // It may go on to print.
        std::thread::spawn(move || lines.count());
        let driver = Self { child, port: port.unwrap_or_default() };
        port.map(|_| driver)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Does what must succeed. An element that the page draws anew between finding and using it is found again.
async fn patiently<T>(what: &str, run: impl AsyncFn() -> Result<T, CmdError>) -> T {
    let started = Instant::now();
    loop {
        match run().await {
            Ok(done) => return done,
            Err(error) => {
                assert!(error.is_stale_element_reference(), "{what}: {error}");
                assert!(started.elapsed() < PATIENCE, "{what}: {error}");
            }
        }
    }
}

/// A page.
pub struct Page {
    client: Client,
    address: String,
}

/// Opens the page of a server and does something with it. Without a browser nothing is done, and that
/// is said where no test harness can hide it.
pub fn visit(address: &str, screen: Screen, run: impl AsyncFnOnce(&Page)) {
    let Some(driver) = Driver::start() else {
        let name = std::thread::current().name().unwrap_or("a test").to_owned();
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(stderr, "\n*** SKIPPED {name}: no chromium and chromedriver here ***");
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let page = runtime.block_on(Page::open(&driver, address, screen));
    let done = catch_unwind(AssertUnwindSafe(|| runtime.block_on(run(&page))));
    if done.is_err() {
        let said = runtime.block_on(page.run("return document.body.innerText"));
        let address = runtime.block_on(page.client.current_url());
        eprintln!("the page at {address:?} says:\n{}", said.as_str().unwrap_or_default());
    }
    // A browser outlives its driver.
    let _ = runtime.block_on(page.client.close());
    if let Err(panic) = done {
        resume_unwind(panic);
    }
}

impl Page {
    async fn open(driver: &Driver, address: &str, screen: Screen) -> Self {
        let Screen { width, height, dark } = screen;
        let mut arguments = vec![
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--no-first-run".to_owned(),
            "--force-prefers-reduced-motion".to_owned(),
            format!("--window-size={width},{height}"),
            format!("--blink-settings=preferredColorScheme={}", if dark { 0 } else { 1 }),
        ];
        let mut options = json!({});
        // A window is never narrower than 500.
        if width < 500 {
            options["mobileEmulation"] =
                json!({ "deviceMetrics": { "width": width, "height": height, "pixelRatio": 1.0 } });
            arguments.retain(|argument| !argument.starts_with("--window-size"));
        }
        options["args"] = json!(arguments);
        let mut capabilities = serde_json::Map::new();
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        let webdriver = format!("http://127.0.0.1:{}", driver.port);
        let started = Instant::now();
        let client = loop {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            match builder.capabilities(capabilities.clone()).connect(&webdriver).await {
                Ok(client) => break client,
                Err(error) if started.elapsed() > PATIENCE => panic!("no browser: {error}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        };
        // A token behind a # is for the first visit.
        let bare = address.split('#').next().unwrap_or_default().to_owned();
        let page = Self { client, address: bare };
        page.client.goto(address).await.unwrap();
        page.find("[role=gridcell]").await;
        page
    }

    /// Goes to a state of the explorer, such as `?line=f5`, and waits until it is shown.
    pub async fn go(&self, state: &str) {
        self.client.goto(&format!("{}{state}", self.address)).await.unwrap();
        self.find("[role=gridcell]").await;
    }

    /// The address behind the server's name.
    pub async fn state(&self) -> String {
        let url = self.client.current_url().await.unwrap();
        url.query().map_or_else(String::new, |query| format!("?{query}"))
    }

    /// Loads the page again.
    pub async fn reload(&self) {
        self.client.refresh().await.unwrap();
        self.find("[role=gridcell]").await;
    }

    /// The browser's back.
    pub async fn back(&self) {
        self.client.back().await.unwrap();
    }

    /// An element, once it is there.
    pub async fn find(&self, css: &str) -> Element {
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await;
        found.unwrap_or_else(|error| panic!("no {css}: {error}"))
    }

    /// Does something with an element.
    async fn with<T>(&self, css: &str, run: impl AsyncFn(Element) -> Result<T, CmdError>) -> T {
        patiently(css, async || run(self.find(css).await).await).await
    }

    /// Clicks on something.
    pub async fn click(&self, css: &str) {
        self.with(css, async |element| element.click().await).await;
    }

    /// Presses a key, or types, where the page has the focus.
    pub async fn press(&self, keys: &str) {
        patiently(keys, async || self.client.active_element().await?.send_keys(keys).await).await;
    }

    /// What is seen, as PNG.
    pub async fn picture(&self) -> Vec<u8> {
        self.client.screenshot().await.unwrap()
    }

    /// What a script gives.
    pub async fn run(&self, script: &str) -> Value {
        self.client
            .execute(script, Vec::new())
            .await
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// The text that a screen reader has for an element.
    pub async fn label(&self, css: &str) -> String {
        self.with(css, async |element| element.attr("aria-label").await).await.unwrap_or_default()
    }

    /// The visible text of an element.
    pub async fn text(&self, css: &str) -> String {
        self.with(css, async |element| element.text().await).await
    }

    /// Waits until a script gives what is wanted.
    pub async fn until(&self, what: &str, script: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let now = self.run(script).await;
            if is_so(&now) {
                return now;
            }
            assert!(started.elapsed() < PATIENCE, "{what} did not come: {now}");
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// Waits until the board is that after a line, told by its label and its last move.
    pub async fn board_after(&self, moves: usize) {
        let wanted = format!("Board after {moves} move{}:", if moves == 1 { "" } else { "s" });
        let script = "return document.querySelector('[role=grid]').getAttribute('aria-label')";
        self.until(&wanted, script, |label| {
            label.as_str().unwrap_or_default().starts_with(&wanted)
        })
        .await;
        let script = "const table = document.querySelector('#moves');\
                      return !table.hasAttribute('data-late')";
        self.until("the moves", script, |now| *now == Value::Bool(true)).await;
    }

    /// The rows of the table of moves: the square, then what comes first in the column with this
    /// class.
    pub async fn column(&self, class: &str) -> Vec<(String, String)> {
        let script = format!(
            "return [...document.querySelectorAll('#moves tr[data-move]')].map((row) => \
             [row.dataset.move, (row.querySelector('.{class}')?.firstChild?.textContent ?? '').trim()])"
        );
        let rows = self.run(&script).await;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| (text(&row[0]), text(&row[1]))).collect()
    }
}
