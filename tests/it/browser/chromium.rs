//! A headless Chromium, driven over two pipes (--remote-debugging-pipe): messages are JSON with a NUL behind. It has
//! no port that anyone could connect to, and asks for nothing.

use serde_json::{json, Value};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::time::{Duration, Instant};

/// An answer that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(90);

/// The browser: `MDTEST_RS_CHROMIUM`, or one of the usual names on PATH. Where there is none the caller's test says so
/// and ends, unless `MDTEST_RS_NEEDS_CHROMIUM` is set, as CI does.
#[allow(clippy::print_stderr)] // a test that looks at nothing says so
pub fn found() -> Option<String> {
    let named = std::env::var("MDTEST_RS_CHROMIUM").ok();
    let usual = ["chromium", "chromium-browser", "google-chrome"].map(String::from);
    let on_path = |name: &String| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        name.contains('/') || std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
    };
    let found = named.into_iter().chain(usual).find(on_path);
    if found.is_none() {
        let needed = std::env::var_os("MDTEST_RS_NEEDS_CHROMIUM").is_some();
        assert!(!needed, "there is no chromium on PATH, and MDTEST_RS_CHROMIUM names none");
        eprintln!("there is no chromium: pages are not opened");
    }
    found
}

/// A browser with one page.
pub struct Browser {
    child: Child,
    input: File,
    answers: Receiver<Value>,
    events: Vec<Value>,
    session: Option<String>,
    next: u64,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts `program`.
    pub fn start(program: &str) -> Self {
        let profile = crate::harness::scratch();
        let pipe = |name: &str| {
            let path = profile.path().join(name);
            assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
            path
        };
        let (input, output) = (pipe("in"), pipe("out"));
        // Opened for both, so that none waits for the other end.
        let open = |path: &Path| OpenOptions::new().read(true).write(true).open(path).unwrap();
        let (to, from) = (open(&input), open(&output));
        let child = Command::new("sh")
            .args(["-c", r#"in=$1 out=$2; shift 2; exec "$@" 3<"$in" 4>"$out""#, "sh"])
            .args([&input, &output])
            .arg(program)
            .args([
                "--headless=new",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-dev-shm-usage",
            ])
            .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|e| panic!("{program}: {e}"));
        let answers = receiver(from);
        let mut browser = Browser {
            child,
            input: to,
            answers,
            events: Vec::new(),
            session: None,
            next: 1,
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(String::from);
        for domain in ["Page", "Network", "Log", "Runtime"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Asks for something; the result.
    #[track_caller]
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.next;
        self.next += 1;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.input.write_all(format!("{message}\0").as_bytes()).unwrap();
        let answer = self.receive(method, |answer| answer["id"] == id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Opens a file and waits until it has loaded; how long that took.
    #[track_caller]
    pub fn open(&mut self, path: &Path) -> Duration {
        self.events.clear();
        let start = Instant::now();
        self.call("Page.navigate", json!({ "url": format!("file://{}", path.display()) }));
        if self.count("Page.loadEventFired") == 0 {
            self.receive("loading", |message| message["method"] == "Page.loadEventFired");
        }
        start.elapsed()
    }

    /// The value of an expression in the page.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// What the browser told of this kind since the page was opened.
    pub fn told(&self, method: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["method"] == method).map(|event| &event["params"]).collect()
    }

    fn count(&self, method: &str) -> usize {
        self.told(method).len()
    }

    /// The next message that is wanted; events are kept.
    #[track_caller]
    fn receive(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + LIMIT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.answers.recv_timeout(left).unwrap_or_else(|e| panic!("{what}: {e}"));
            if message.get("method").is_some() {
                self.events.push(message.clone());
            }
            if wanted(&message) {
                return message;
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        let closed = self.input.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0").is_ok();
        let end = Instant::now() + Duration::from_secs(10);
        while closed && Instant::now() < end && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The messages, read beside.
fn receiver(from: File) -> Receiver<Value> {
    let (send, answers) = channel();
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut bytes = Vec::new();
        while from.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
            bytes.pop();
            let Ok(message) = serde_json::from_slice(&bytes) else { return };
            bytes.clear();
            if send.send(message).is_err() {
                return;
            }
        }
    });
    answers
}
