//! Pages in a real browser. With `MDTEST_RS_SHOTS` set to a folder, pictures of them are left there for people to see.

mod chromium;
mod large;

use crate::harness::Place;
use chromium::Browser;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Bytes of a page of 62,400 tasks at most.
const MOST_BYTES: u64 = 5_000_000;

/// The report of these records as a page.
#[track_caller]
fn page(place: &Place, records: &str) -> PathBuf {
    place.run_alone(&format!("report {records} -o {{W}}/page.html --overwrite")).expect(0);
    place.folder().join("page.html")
}

/// The page asked for nothing but itself, and the browser had nothing to say to it.
#[track_caller]
fn is_quiet(browser: &Browser, page: &Path) {
    let asked: Vec<_> =
        browser.told("Network.requestWillBeSent").iter().map(|r| r["request"]["url"].clone()).collect();
    let allowed = |url: &serde_json::Value| {
        let url = url.as_str().unwrap_or_default();
        url == format!("file://{}", page.display()) || url.starts_with("data:,")
    };
    assert!(!asked.is_empty() && asked.iter().all(allowed), "{asked:?}");
    for kind in
        ["Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Network.loadingFailed"]
    {
        assert!(browser.told(kind).is_empty(), "{kind}: {:?}", browser.told(kind));
    }
}

/// Every picture has a title and a description.
#[track_caller]
fn pictures(browser: &mut Browser) -> u64 {
    let silent = "[...document.querySelectorAll('svg')].filter(s => s.getAttribute('role') !== 'img' || \
        !s.getAttribute('aria-labelledby').split(' ').every(id => document.getElementById(id).textContent.length > 3) || \
        s.getBoundingClientRect().height < 40).length";
    assert_eq!(browser.value(silent), 0);
    browser.value("document.querySelectorAll('svg').length").as_u64().unwrap()
}

/// Leaves a picture of the page at so many pixels of width, if pictures are wanted.
fn shot(browser: &mut Browser, name: &str, width: u64) {
    let Some(folder) = std::env::var_os("MDTEST_RS_SHOTS") else { return };
    let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    browser.call("Emulation.setDeviceMetricsOverride", size);
    let height = browser.value("document.documentElement.scrollHeight").as_u64().unwrap();
    let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 });
    let shot = browser.call("Page.captureScreenshot", json!({ "clip": clip, "captureBeyondViewport": true }));
    let file = std::fs::File::create(Path::new(&folder).join(format!("{name}.png"))).unwrap();
    let mut decoder = Command::new("base64").arg("-d").stdin(Stdio::piped()).stdout(file).spawn().unwrap();
    decoder.stdin.take().unwrap().write_all(shot["data"].as_str().unwrap().as_bytes()).unwrap();
    assert!(decoder.wait().unwrap().success());
    browser.call("Emulation.clearDeviceMetricsOverride", json!({}));
}

fn media(browser: &mut Browser, media: &str, scheme: &str) {
    let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
    browser.call("Emulation.setEmulatedMedia", json!({ "media": media, "features": features }));
}

#[test]
fn the_browser_tells_what_a_page_asks_for_and_says() {
    let Some(program) = chromium::found() else { return };
    let place = Place::new();
    let path = place.folder().join("loud.html");
    std::fs::write(&path, "<img src='http://127.0.0.1:9/x'><script>console.log('x'); nothing()</script>")
        .unwrap();
    let mut browser = Browser::start(&program);
    browser.open(&path);
    for kind in ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Network.loadingFailed"] {
        assert_eq!(browser.told(kind).len(), 1, "{kind}");
    }
    assert_eq!(browser.told("Network.requestWillBeSent").len(), 2);
}

#[test]
fn a_page_is_quiet_complete_and_sorts() {
    let Some(program) = chromium::found() else { return };
    let place = Place::new();
    place.run(2, "-b 2 -z 1 -I 300 -u -i 3 -d {D} --json {W}/r.json").expect(0);
    let path = page(&place, "{W}/r.json");
    let mut browser = Browser::start(&program);
    browser.open(&path);
    is_quiet(&browser, &path);
    assert!(pictures(&mut browser) >= 4);
    assert_eq!(browser.value("document.querySelectorAll('main, header, h1').length"), 3);

    let means = "[...document.querySelector('table').tBodies[0].rows].map(r => +r.cells[3].dataset.v)";
    let sorted = |browser: &mut Browser| {
        let means: Vec<f64> = serde_json::from_value(browser.value(means)).unwrap();
        assert_eq!(means.len(), 10);
        (means.is_sorted(), means.is_sorted_by(|a, b| a >= b))
    };
    let head = "document.querySelectorAll('table th button')[3]";
    browser.value(&format!("{head}.click()"));
    assert_eq!(sorted(&mut browser), (false, true));
    assert_eq!(browser.value(&format!("{head}.parentNode.getAttribute('aria-sort')")), "descending");
    // And by the keyboard.
    browser.value(&format!("{head}.focus()"));
    for kind in ["keyDown", "keyUp"] {
        let key = json!({ "type": kind, "key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13 });
        browser.call("Input.dispatchKeyEvent", key);
    }
    assert_eq!(sorted(&mut browser), (true, false));
    assert_eq!(browser.value(&format!("{head}.parentNode.getAttribute('aria-sort')")), "ascending");
    is_quiet(&browser, &path);
}

#[test]
fn a_page_is_light_dark_narrow_and_printed() {
    let Some(program) = chromium::found() else { return };
    let place = Place::new();
    place.run(2, "-n 3000 -F -u -i 2 -d {D} --json {W}/a.json").expect(0);
    place.run(1, "-n 3000 -F -u -i 2 -d {D} --json {W}/b.json").expect(0);
    place.run(2, "-n 3000 -F -u -i 2 -d {D} --json {W}/c.json").expect(0);
    let path = page(&place, "{W}/a.json {W}/b.json {W}/c.json");
    let mut browser = Browser::start(&program);
    browser.open(&path);
    let colour = |browser: &mut Browser, of: &str| {
        let value = format!("getComputedStyle(document.querySelector('{of}')).");
        let part = if of == "body" { "backgroundColor" } else { "fill" };
        browser.value(&(value + part)).as_str().unwrap().to_string()
    };
    let mut seen = Vec::new();
    for (name, kind, scheme) in
        [("light", "screen", "light"), ("dark", "screen", "dark"), ("print", "print", "dark")]
    {
        media(&mut browser, kind, scheme);
        seen.push((colour(&mut browser, "body"), colour(&mut browser, "svg text")));
        shot(&mut browser, name, if name == "print" { 680 } else { 1200 });
    }
    assert_eq!(seen[0].0, "rgb(255, 255, 255)");
    assert!(seen[0].0 != seen[1].0 && seen[0].1 != seen[1].1, "{seen:?}");
    assert_eq!(seen[0].0, seen[2].0, "paper is white");
    media(&mut browser, "screen", "light");
    let narrow = json!({ "width": 375, "height": 800, "deviceScaleFactor": 2, "mobile": true });
    browser.call("Emulation.setDeviceMetricsOverride", narrow);
    assert_eq!(
        browser.value("document.documentElement.scrollWidth"),
        375,
        "only parts of the page scroll aside"
    );
    shot(&mut browser, "narrow", 375);
    is_quiet(&browser, &path);
}

#[test]
#[allow(clippy::print_stdout)] // the time is told, not judged
fn a_page_of_62400_tasks_is_small_and_opens() {
    let Some(program) = chromium::found() else { return };
    for all_tasks in [false, true] {
        let place = Place::new();
        let text = serde_json::to_string(&large::record(all_tasks)).unwrap();
        std::fs::write(place.folder().join("r.json"), text).unwrap();
        let path = page(&place, "{W}/r.json");
        let bytes = std::fs::metadata(&path).unwrap().len();
        let mut browser = Browser::start(&program);
        let took = browser.open(&path);
        println!("62,400 tasks, details of all {all_tasks}: {bytes} bytes, opens in {took:?}");
        assert!(bytes < MOST_BYTES, "{bytes} bytes");
        is_quiet(&browser, &path);
        assert!(pictures(&mut browser) >= 14);
        assert!(browser.value("document.body.textContent.includes('nid000999')").as_bool().unwrap());
        shot(&mut browser, if all_tasks { "large-all" } else { "large" }, 1200);
    }
}
