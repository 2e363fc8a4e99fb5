//! A file system in memory that the test itself serves, by FUSE: it delays, fails and tampers with requests as the
//! test's rules say, and tells to which it did.
//!
//! Needs /dev/fuse; as root nothing else, as another user fusermount3.

mod rules;
mod serve;
mod tree;

pub use rules::{Operation, Rule, What};

use crate::harness::Place;
use fuser::{BackgroundSession, Config, MountOption};
use nix::mount::{umount2, MntFlags};
use rules::Rules;
use std::any::Any;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tree::Tree;

/// Threads that serve: as many requests are delayed beside each other. One that hangs occupies none.
const THREADS: usize = 8;

/// A mounted file system. It is unmounted when it is dropped, also by a test that fails.
pub struct Mounted {
    shared: Arc<Shared>,
    at: PathBuf,
    _session: BackgroundSession,
}

impl Mounted {
    /// An empty file system, mounted on the folder `{W}/m` of `place`, which has to outlive it.
    #[track_caller]
    pub fn new(place: &Place) -> Self {
        let at = place.folder().join("m");
        std::fs::create_dir(&at).unwrap();
        let shared = Arc::<Shared>::default();
        let mut config = Config::default();
        config.mount_options = vec![MountOption::FSName("mdtest-rs".to_string())];
        config.n_threads = Some(THREADS);
        let mounted = fuser::spawn_mount(serve::Served(shared.clone()), &at, &config);
        let session = mounted.unwrap_or_else(|e| {
            panic!(
                "this test mounts a file system of its own and cannot: {e}. It needs /dev/fuse (in a container \
                 --device /dev/fuse --cap-add SYS_ADMIN), and as another user than root fusermount3"
            )
        });
        Mounted { shared, at, _session: session }
    }

    /// From now on there is one more rule; its number, for [`Mounted::fired`].
    pub fn add(&self, rule: Rule) -> usize {
        self.shared.rules().add(rule)
    }

    /// From now on no rule does anything.
    #[allow(dead_code)] // a test takes what it needs
    pub fn stop(&self) {
        self.shared.rules().stop();
    }

    /// The full paths for which a rule fired, in order.
    pub fn fired(&self, rule: usize) -> Vec<String> {
        let rules = self.shared.rules();
        rules.fired(rule).iter().map(|path| self.at.join(path).display().to_string()).collect()
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.shared.let_go();
        // Also where a task is still in there. Another user than root may not; then the session asks fusermount3.
        let _ = umount2(&self.at, MntFlags::MNT_DETACH);
    }
}

/// What the serving threads and the test share.
#[derive(Default)]
struct Shared {
    tree: Mutex<Tree>,
    rules: Mutex<Rules>,
    held: Mutex<Held>,
}

/// Answers that are not given: dropped, each is EIO.
#[derive(Default)]
struct Held {
    answers: Vec<Box<dyn Any + Send>>,
    let_go: bool,
}

impl Shared {
    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rules(&self) -> MutexGuard<'_, Rules> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold(&self, answer: Box<dyn Any + Send>) {
        let mut held = self.held();
        if !held.let_go {
            held.answers.push(answer);
        }
    }

    fn let_go(&self) {
        let mut held = self.held();
        held.let_go = true;
        held.answers.clear();
    }
}

#[test]
fn files_and_directories_live_in_it() {
    let place = Place::new();
    let fs = Mounted::new(&place);
    let (d, f, g) = (fs.at.join("d"), fs.at.join("d/f"), fs.at.join("g"));
    std::fs::create_dir(&d).unwrap();
    std::fs::write(&f, b"hello").unwrap();
    assert_eq!(std::fs::read(&f).unwrap(), b"hello");
    assert_eq!(crate::harness::names(&fs.at), ["d/", "d/f"]);
    std::fs::rename(&f, &g).unwrap();
    assert_eq!(std::fs::metadata(&g).unwrap().len(), 5);
    assert!(std::fs::remove_dir(fs.at.join("g")).is_err() && !f.exists());
    std::fs::remove_dir(&d).unwrap();
    std::fs::remove_file(&g).unwrap();
    assert!(crate::harness::names(&fs.at).is_empty());
}

#[test]
fn rules_change_what_requests_come_to() {
    let place = Place::new();
    let fs = Mounted::new(&place);
    let file = fs.at.join("f");
    std::fs::write(&file, b"hello").unwrap();
    let flipped = fs.add(Rule::on(Operation::Read, What::FlipBit).nth(1));
    fs.add(Rule::on(Operation::Read, What::Short(2)).nth(1));
    assert_eq!(std::fs::read(&file).unwrap(), b"iello", "two bytes, the first of them wrong, then the rest");
    assert_eq!(fs.fired(flipped), [file.display().to_string()]);
    fs.add(Rule::on(Operation::Unlink, What::Fail(libc::EDQUOT)));
    let failed = std::fs::remove_file(&file).unwrap_err();
    assert_eq!(failed.raw_os_error(), Some(libc::EDQUOT));
    fs.stop();
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_request_hangs_until_it_is_unmounted() {
    let place = Place::new();
    let fs = Mounted::new(&place);
    let hung = fs.add(Rule::on(Operation::Mkdir, What::Hang));
    let directory = fs.at.join("d");
    let call = std::thread::spawn(move || std::fs::create_dir(directory));
    while fs.fired(hung).is_empty() {
        std::thread::yield_now();
    }
    drop(fs);
    assert_eq!(call.join().unwrap().unwrap_err().raw_os_error(), Some(libc::EIO));
    assert!(std::fs::read_dir(place.folder().join("m")).unwrap().next().is_none(), "no mount is left");
}
