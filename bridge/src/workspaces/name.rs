//! Which texts can name a document: workspace-relative paths with `/`.

/// Checks a document's name and gives its parts. The error says what is wrong with it.
///
/// A name stands for one path only: no empty part, no `.` or `..`, not absolute. Git's own folder is not part of a
/// workspace. Everything else a file system allows is a legal name: spaces, backslashes, colons, any script.
pub fn parts(name: &str) -> Result<Vec<&str>, &'static str> {
    if name.is_empty() {
        return Err("it is empty");
    }
    if name.len() > 4096 {
        return Err("it is longer than 4096 bytes");
    }
    if name.contains('\0') {
        return Err("it holds a NUL byte");
    }
    if name.starts_with('/') {
        return Err("it is absolute");
    }
    name.split('/').map(part).collect()
}

fn part(part: &str) -> Result<&str, &'static str> {
    match part {
        "" => Err("it has an empty part"),
        "." | ".." => Err("it has a part that is . or .."),
        _ if part.len() > 255 => Err("it has a part longer than 255 bytes"),
        _ if is_git(part) => Err("it is inside .git"),
        _ => Ok(part),
    }
}

/// Whether a part names git's folder on any file system: some ignore case, some ignore invisible characters.
pub fn is_git(part: &str) -> bool {
    let visible = part.chars().filter(
        |c| !matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'),
    );
    visible.map(|c| c.to_ascii_lowercase()).eq(".git".chars())
}
