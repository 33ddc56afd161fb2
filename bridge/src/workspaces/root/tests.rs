//! What is refused, what is legal, and what a race can win: nothing.

use super::*;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

const SECRET: &str = "the secret outside";

/// A folder `ws` with a document, beside it things that no name may reach.
struct World {
    outer: TempDir,
    root: Root,
}

impl World {
    fn new() -> Self {
        let outer = TempDir::new().unwrap();
        let ws = outer.path().join("ws");
        fs::create_dir_all(ws.join("docs/deep")).unwrap();
        fs::create_dir_all(ws.join(".git/objects")).unwrap();
        fs::create_dir_all(outer.path().join("ws-secret")).unwrap();
        for (path, text) in [
            ("ws/docs/a.md", "A"),
            ("ws/docs/deep/b.md", "B"),
            ("ws/.git/config", SECRET),
            ("ws-secret/s.md", SECRET),
            ("s.md", SECRET),
        ] {
            fs::write(outer.path().join(path), text).unwrap();
        }
        let root = Root::open(&ws).unwrap();
        Self { outer, root }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.outer.path().join("ws").join(path)
    }

    fn read(&self, name: &str) -> Result<String, Refused> {
        let mut text = String::new();
        self.root.read(name)?.file.read_to_string(&mut text)?;
        Ok(text)
    }
}

#[test]
fn names_that_are_no_plain_path_inside_are_refused() {
    let world = World::new();
    let too_long = "x".repeat(256);
    let far_too_long = "x/".repeat(2500) + "x";
    let outside = world.outer.path().join("s.md").display().to_string();
    let inside = world.at("docs/a.md").display().to_string();
    let names = [
        "",
        " /../../s.md",
        ".",
        "..",
        "/",
        "//",
        "./",
        "../",
        "./docs/a.md",
        "docs/./a.md",
        "docs/../docs/a.md",
        "docs/../../s.md",
        "../s.md",
        "../ws-secret/s.md",
        "../ws/docs/a.md",
        "docs//a.md",
        "docs/a.md/",
        "/docs/a.md",
        "//docs/a.md",
        "/etc/passwd",
        "/proc/self/environ",
        "/proc/self/root/etc/passwd",
        "/dev/null",
        "docs/..",
        "docs/../..",
        "docs/.",
        "..\0",
        "docs/a.md\0",
        "\0",
        "docs\0/a.md",
        "docs/a.md\0.png",
        "../../../../../../etc/passwd",
        "docs/../../../etc/passwd",
        ".git",
        ".git/config",
        ".git/objects",
        ".GIT/config",
        ".Git/config",
        ".giT",
        ".g\u{200c}it/config",
        "\u{feff}.git/config",
        "docs/.git",
        "docs/.git/config",
        "docs/deep/.GIT/HEAD",
        "docs/a.md/.git",
        "docs",
        "docs/deep",
        "docs/a.md/b",
        "docs/missing.md",
        "missing/a.md",
        "docs/A.MD ",
        "%2e%2e/s.md",
        "..%2fs.md",
        "..\\s.md",
        "docs\\a.md",
        "file:///etc/passwd",
        "~/.ssh/id_rsa",
        "$HOME/.bashrc",
        "C:\\Windows\\win.ini",
        "\\\\server\\share",
        "docs/a.md:stream",
        "docs/a.md::$DATA",
        "．．/s.md",
        "‥/s.md",
        "docs/\u{2215}a.md",
        "/\u{0}",
        "...",
        "docs/...",
        ".../s.md",
        &too_long,
        &far_too_long,
        &outside,
        &inside,
    ];
    assert!(names.len() >= 60);
    for name in names {
        assert!(world.read(name).is_err(), "{name:?} was read");
    }
}

#[test]
fn odd_names_that_a_file_system_allows_work() {
    let world = World::new();
    let longest = "n".repeat(255);
    let names = [
        " leading.md",
        "trailing .md ",
        "two  spaces.md",
        "back\\slash.md",
        "..\\up.md",
        "C:drive.md",
        "a:b.md",
        "per%2fcent.md",
        "%2e%2e",
        "...",
        "....md",
        ".hidden",
        ".gitignore",
        ".github",
        ".gitx/config",
        "git",
        "-rf",
        "--help.md",
        "new\nline.md",
        "tab\there.md",
        "quote\"s'.md",
        "$(touch x).md",
        "`id`.md",
        "*?[a].md",
        "a;b|c&d.md",
        "#hash?q=1.md",
        "ümläut.md",
        "u\u{308}.md",
        "日本語.md",
        "עברית.md",
        "😀.md",
        "\u{202e}dm.exe",
        "~",
        "~user",
        "CON",
        "nul.txt",
        "a.md::$DATA",
        &longest,
    ];
    assert!(names.len() >= 20);
    for name in names {
        if let Some((folder, _)) = name.split_once('/') {
            fs::create_dir_all(world.at(folder)).unwrap();
        }
        fs::write(world.at(name), name).unwrap();
        assert_eq!(world.read(name).unwrap(), name, "{name:?}");
        assert_eq!(world.root.document(name).unwrap(), name);
    }
}

#[test]
fn links_inside_are_followed_to_the_one_document_they_name() {
    let world = World::new();
    symlink("docs/a.md", world.at("link.md")).unwrap();
    symlink("docs", world.at("linked")).unwrap();
    symlink("../link.md", world.at("docs/round.md")).unwrap();
    for name in [
        "link.md",
        "linked/a.md",
        "docs/round.md",
        "linked/round.md",
        "docs/a.md",
    ] {
        let opened = world.root.read(name).unwrap();
        assert_eq!(opened.document, "docs/a.md", "{name}");
    }
}

#[test]
fn links_out_of_the_root_and_into_git_are_refused() {
    let world = World::new();
    let far = world.outer.path().join("s.md");
    for (name, target) in [
        ("out.md", Path::new("../s.md")),
        ("far.md", far.as_path()),
        ("sibling", Path::new("../ws-secret")),
        ("etc", Path::new("/etc")),
        ("proc", Path::new("/proc/self/root")),
        ("up", Path::new("..")),
        ("docs/up", Path::new("../..")),
        ("again", Path::new("../ws/docs/a.md")),
        ("loop", Path::new("loop")),
        ("ping", Path::new("pong")),
        ("pong", Path::new("ping")),
        ("dangling", Path::new("docs/none.md")),
        ("config.md", Path::new(".git/config")),
        ("history", Path::new(".git")),
        ("self", Path::new("/dev/fd/0")),
    ] {
        symlink(target, world.at(name)).unwrap();
    }
    for name in [
        "out.md",
        "far.md",
        "sibling/s.md",
        "sibling",
        "etc/passwd",
        "proc/etc/passwd",
        "up/s.md",
        "up/ws/docs/a.md",
        "docs/up/s.md",
        "again",
        "loop",
        "loop/x",
        "ping",
        "dangling",
        "config.md",
        "history/config",
        "self",
    ] {
        assert!(world.read(name).is_err(), "{name:?} was read");
    }
}

#[test]
fn only_regular_files_are_opened_and_nothing_waits() {
    let world = World::new();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        world.at("pipe"),
        rustix::fs::FileType::Fifo,
        Mode::RUSR | Mode::WUSR,
        0,
    )
    .unwrap();
    let _socket = UnixListener::bind(world.at("socket")).unwrap();
    symlink("pipe", world.at("to-pipe")).unwrap();
    for name in ["pipe", "socket", "to-pipe", "docs", "docs/deep"] {
        assert!(
            matches!(world.read(name), Err(Refused::NotAFile)),
            "{name}: {:?}",
            world.read(name)
        );
    }
}

#[test]
fn a_folder_that_is_made_again_is_noticed() {
    let world = World::new();
    assert!(world.root.is_still_there());
    let path = world.root.path().to_owned();
    fs::rename(&path, world.outer.path().join("moved")).unwrap();
    assert!(!world.root.is_still_there());
    fs::create_dir(&path).unwrap();
    assert!(!world.root.is_still_there());
    // What is held is the folder, not the name.
    assert_eq!(world.read("docs/a.md").unwrap(), "A");
}

#[test]
fn swapping_folders_and_files_for_links_wins_no_race() {
    let world = World::new();
    let folder = world.at("swap");
    let file = world.at("docs/swapped.md");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("s.md"), "inside").unwrap();
    fs::write(&file, "inside").unwrap();
    let aside = world.at("aside");
    let outside = world.outer.path().join("ws-secret");
    let done = AtomicBool::new(false);
    let mut read = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                fs::rename(&folder, &aside).unwrap();
                symlink(&outside, &folder).unwrap();
                fs::remove_file(&file).unwrap();
                symlink("../.git/config", &file).unwrap();
                fs::remove_file(&folder).unwrap();
                symlink("../ws-secret", &folder).unwrap();
                fs::remove_file(&file).unwrap();
                symlink(outside.join("s.md"), &file).unwrap();
                fs::remove_file(&folder).unwrap();
                fs::rename(&aside, &folder).unwrap();
                fs::remove_file(&file).unwrap();
                fs::write(&file, "inside").unwrap();
            }
        });
        for _ in 0..4000 {
            for name in ["swap/s.md", "docs/swapped.md"] {
                if let Ok(text) = world.read(name) {
                    assert_ne!(text, SECRET, "{name} leaked");
                    read += 1;
                }
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(read > 0, "the race never let a file be read");
}
