//! What this browser keeps between visits: its secret and how the shell looked.

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn read(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

fn write(key: &str, value: Option<&str>) {
    let Some(storage) = storage() else { return };
    // A full or forbidden storage loses only comfort, or asks for another sign-in.
    drop(match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    });
}

/// The secret that the bridge gave this browser when it signed in.
pub fn secret() -> Option<String> {
    read("rex-secret").filter(|secret| !secret.is_empty())
}

/// Keeps or forgets the secret.
pub fn set_secret(secret: Option<&str>) {
    write("rex-secret", secret);
}

/// The theme word; `app/boot.js` reads the same key before the first paint.
pub fn theme() -> Option<String> {
    read("rex-theme")
}

/// Keeps the theme word.
pub fn set_theme(word: &str) {
    write("rex-theme", Some(word));
}

/// Whether the rail was folded.
pub fn rail_is_slim() -> bool {
    read("rex-rail").as_deref() == Some("slim")
}

/// Keeps whether the rail is folded.
pub fn set_rail_is_slim(slim: bool) {
    write("rex-rail", slim.then_some("slim"));
}

/// What was chosen for the last prompt, as JSON.
pub fn last_choice() -> Option<String> {
    read("rex-choice")
}

/// Keeps what was chosen for the last prompt.
pub fn set_last_choice(choice: &str) {
    write("rex-choice", Some(choice));
}

/// What stood at the top of the view of a document, as JSON; of this tab only.
pub fn reading_place(document: &str) -> Option<String> {
    of_tab()?.get_item(&format!("rex-read:{document}")).ok()?
}

/// Keeps what stands at the top of the view of a document.
pub fn set_reading_place(document: &str, place: &str) {
    if let Some(storage) = of_tab() {
        // Without it a reload begins at the top.
        drop(storage.set_item(&format!("rex-read:{document}"), place));
    }
}

fn of_tab() -> Option<web_sys::Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// The draft that the tray was last seen with in a workspace.
pub fn tray(workspace: &str) -> Option<String> {
    read(&format!("rex-tray:{workspace}"))
}

/// Keeps or forgets which draft the tray is.
pub fn set_tray(workspace: &str, thread: Option<&str>) {
    write(&format!("rex-tray:{workspace}"), thread);
}

/// Documents of a proposal that were looked through, one a line.
pub fn viewed(proposal: &str) -> Option<String> {
    read(&format!("rex-viewed:{proposal}"))
}

/// Keeps which documents of a proposal were looked through.
pub fn set_viewed(proposal: &str, documents: &str) {
    write(
        &format!("rex-viewed:{proposal}"),
        Some(documents).filter(|documents| !documents.is_empty()),
    );
}

/// Whether single letters are keys; a person can switch them off.
pub fn letters_act() -> bool {
    read("rex-letters").as_deref() != Some("off")
}

/// Keeps whether single letters are keys.
pub fn set_letters_act(act: bool) {
    write("rex-letters", (!act).then_some("off"));
}
