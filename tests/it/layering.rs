//! A module imports only from those above it.

use std::path::{Path, PathBuf};

const ORDER: [&str; 15] = [
    "error",
    "namespace",
    "cli",
    "plan",
    "backend",
    "measure",
    "result",
    "archive",
    "analysis",
    "team",
    "bench",
    "report",
    "session",
    "sweep",
    "tools",
];

#[test]
fn modules_import_only_from_those_above_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    let mut wrong = Vec::new();
    for file in rust_files(&src) {
        let name = file.strip_prefix(&src).unwrap().with_extension("");
        let module = name.iter().next().unwrap().to_str().unwrap().to_string();
        let Some(own) = place(&module) else {
            assert!(["lib", "main"].contains(&module.as_str()), "{module} has no place in the order");
            continue;
        };
        for import in imports(&std::fs::read_to_string(&file).unwrap()) {
            seen += 1;
            if place(&import).is_none_or(|place| place > own) {
                wrong.push(format!("{} imports from {import}", name.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen > 50, "{seen} imports seen: is the source where it was?");
}

fn place(module: &str) -> Option<usize> {
    ORDER.iter().position(|name| *name == module)
}

/// The modules of this crate that a file names, in `use` lines or in full paths; comments may name any.
fn imports(text: &str) -> Vec<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let names = code.flat_map(|line| line.split("crate::").skip(1));
    let word = |rest: &str| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    names.map(word).filter(|name| !name.is_empty()).collect()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| match path.extension() {
        _ if path.is_dir() => rust_files(&path),
        Some(extension) if extension == "rs" => vec![path],
        _ => Vec::new(),
    };
    entries.flat_map(of).collect()
}
