//! The tab's title: how many comments ask for the person, then what is open.

use crate::browser::page;
use crate::model::Model;
use crate::rail::words::{file_name, title_of};
use crate::reactive::{Derived, on_change};

/// Keeps the title.
pub(super) fn follow(model: Model) {
    let asks = Derived::new(move || model.rail.activity().asks);
    let comment = Derived::new(move || {
        let open = model.open_thread.get()?;
        let row = model.rail.row(&open)?;
        Some(row.with(|row| format!("{} {}", row.number, title_of(row))))
    });
    on_change(move || {
        let open = comment.get().or_else(|| {
            model
                .document
                .path
                .with(|path| path.as_deref().map(|path| file_name(path).to_owned()))
        });
        page::set_title(&title(asks.get(), open.as_deref()));
    });
}

fn title(asks: u32, open: Option<&str>) -> String {
    let count = if asks > 0 {
        format!("({asks}) ")
    } else {
        String::new()
    };
    match open {
        Some(open) => format!("{count}{open} · REX"),
        None => format!("{count}REX"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_counts_what_asks_and_names_what_is_open() {
        assert_eq!(title(0, None), "REX");
        assert_eq!(title(2, Some("pricing.md")), "(2) pricing.md · REX");
    }
}
