//! The file tree with what stands on each document.

use super::lanes::{LANES, count_of};
use super::renames;
use super::tab_id;
use super::tree::{Kind, Step, TreeRow, lanes_by_path, paths, rows, step};
use crate::browser::focus;
use crate::icon::{Glyph, Icon};
use crate::model::{RailTab, use_model};
use crate::navigate;
use crate::reactive::{Derived, Each, State, on_key, on_mouse, redrawn};
use leptos::prelude::*;
use rex_shared::lane::Lane;
use rex_shared::wire::workspace::LaneCounts;
use std::collections::{HashMap, HashSet};

#[component]
pub(super) fn Files() -> impl IntoView {
    let model = use_model();
    let visible = Derived::new(move || {
        model.files.with(|files| {
            files.as_ref().map_or_else(Vec::new, |files| {
                model.open_folders.with(|folders| {
                    model
                        .document
                        .path
                        .with(|open| rows(files, folders, open.as_deref()))
                })
            })
        })
    });
    let lanes = Derived::new(move || {
        model.rail.rows.with(|rows| {
            let rows: Vec<_> = rows.values().map(|row| row.get()).collect();
            lanes_by_path(&rows)
        })
    });
    let unfolded = Derived::new(move || {
        visible.with(|rows| {
            rows.iter()
                .filter(|row| row.kind == Kind::Folder { is_open: true })
                .map(|row| row.path.clone())
                .collect::<HashSet<_>>()
        })
    });
    // One Tab stop: the row that had focus last, else the open document, else the first.
    let focused = State::new(None::<String>);
    let stop = Derived::new(move || {
        let has = |path: &String| visible.with(|rows| rows.iter().any(|row| row.path == *path));
        focused
            .get()
            .filter(has)
            .or_else(|| model.document.path.get().filter(has))
            .or_else(|| visible.with(|rows| rows.first().map(|row| row.path.clone())))
    });
    let step = move |event: leptos::ev::KeyboardEvent| {
        let Some(at) = stop.get_untracked() else {
            return;
        };
        match visible.with_untracked(|rows| step(rows, &at, &event.key())) {
            Some(Step::Focus(path)) => {
                event.prevent_default();
                focus::to_id(&row_id(&path));
                focused.set(Some(path));
            }
            Some(Step::Fold(path, open)) => {
                event.prevent_default();
                model.open_folders.update(|folders| {
                    folders.insert(path, open);
                });
            }
            None => {}
        }
    };
    let foot = move || {
        let all = model
            .files
            .with(|files| files.as_ref().map(paths).unwrap_or_default());
        let open = lanes.with(|lanes| {
            all.iter()
                .filter(|path| lanes.get(*path).is_some_and(|lanes| lanes.open > 0))
                .count()
        });
        let cut = model
            .files
            .with(|files| files.as_ref().is_some_and(|files| files.truncated));
        let more = if cut { ", more than can be listed" } else { "" };
        format!("{} documents, {open} with open comments{more}", all.len())
    };
    view! {
        <div class="rail__list" role="tabpanel" id="rail-panel" aria-labelledby=tab_id(RailTab::Files)>
            <div class="tree" role="tree" aria-label="Files" on:keydown=on_key(step)>
                <Each each=move || visible.get() key=|row| (row.path.clone(), row.kind == Kind::Missing) let:row>
                    <FileRow row unfolded lanes stop focused />
                </Each>
            </div>
            {renames::all()}
        </div>
        <div class="rail__foot">
            <span>{redrawn(foot)}</span>
        </div>
    }
}

fn row_id(path: &str) -> String {
    format!("file-{path}")
}

#[component]
fn FileRow(
    row: TreeRow,
    unfolded: Derived<HashSet<String>>,
    lanes: Derived<HashMap<String, LaneCounts>>,
    stop: Derived<Option<String>>,
    focused: State<Option<String>>,
) -> impl IntoView {
    let model = use_model();
    let TreeRow {
        path,
        name,
        level,
        kind,
    } = row;
    let is_selected = {
        let path = path.clone();
        move || {
            model
                .document
                .path
                .with(|open| open.as_ref() == Some(&path))
                .to_string()
        }
    };
    let tabindex = {
        let path = path.clone();
        move || {
            if stop.with(|stop| stop.as_ref() == Some(&path)) {
                "0"
            } else {
                "-1"
            }
        }
    };
    let press = {
        let path = path.clone();
        move |_| {
            focused.set(Some(path.clone()));
            match kind {
                Kind::Folder { .. } => {
                    let is_open = unfolded.with_untracked(|unfolded| unfolded.contains(&path));
                    model.open_folders.update(|folders| {
                        folders.insert(path.clone(), !is_open);
                    });
                }
                Kind::File | Kind::Missing => {
                    model.drawer_is_open.set(false);
                    navigate::to_document(model, path.clone());
                }
            }
        }
    };
    let is_folder = matches!(kind, Kind::Folder { .. });
    let is_open = {
        let path = path.clone();
        Derived::new(move || unfolded.with(|unfolded| unfolded.contains(&path)))
    };
    let expanded = move || is_folder.then(|| is_open.get().to_string());
    let arrow = move || match (is_folder, is_open.get()) {
        (true, true) => view! { <Icon name="down" /> }.into_any(),
        (true, false) => view! { <Icon name="right" /> }.into_any(),
        (false, _) => view! { <span></span> }.into_any(),
    };
    let icon = if is_folder { "folder" } else { "file" };
    let counts = {
        let path = path.clone();
        move || {
            let counts = lanes
                .with(|lanes| lanes.get(&path).copied())
                .unwrap_or_default();
            if kind == Kind::Missing {
                let all: u32 = LANES.iter().map(|(lane, _)| count_of(&counts, *lane)).sum();
                return format!("missing, {all}").into_any();
            }
            // A folder says only what needs a look.
            LANES
                .into_iter()
                .filter(|(lane, _)| !is_folder || matches!(lane, Lane::Open | Lane::Gone))
                .filter(|(lane, _)| count_of(&counts, *lane) > 0)
                .map(|(lane, word)| {
                    let word = format!(" {}", word.to_ascii_lowercase());
                    view! {
                        <span>
                            <Glyph lane />
                            {count_of(&counts, lane)}
                            <span class="vh">{word}</span>
                        </span>
                    }
                })
                .collect_view()
                .into_any()
        }
    };
    view! {
        <button
            type="button"
            class="tree__row"
            role="treeitem"
            id=row_id(&path)
            attr:aria-level=level.to_string()
            aria-expanded=redrawn(expanded)
            aria-selected=redrawn(is_selected)
            data-state=(kind == Kind::Missing).then_some("missing")
            tabindex=redrawn(tabindex)
            title=path
            on:click=on_mouse(press)
        >
            {redrawn(arrow)}
            <Icon name=icon />
            <span class="tree__name">{name}</span>
            <span class="tree__counts">{redrawn(counts)}</span>
        </button>
    }
}
