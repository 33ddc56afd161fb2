//! The time, and dates in the person's own words.

use js_sys::{Array, Date, Intl, Object, Reflect};
use rex_shared::ids::Millis;
use wasm_bindgen::JsValue;

/// Now.
pub fn now() -> Millis {
    // Time in a browser is a whole number of milliseconds.
    Millis(Date::now() as i64)
}

/// A number between 0 and 1.
pub fn chance() -> f64 {
    js_sys::Math::random()
}

fn formatted(at: Millis, options: &[(&str, &str)]) -> String {
    let wanted = Object::new();
    for (name, value) in options {
        // Setting a property of a fresh object cannot fail.
        drop(Reflect::set(
            &wanted,
            &JsValue::from_str(name),
            &JsValue::from_str(value),
        ));
    }
    let format = Intl::DateTimeFormat::new(&Array::new(), &wanted).format();
    let date = Date::new(&JsValue::from_f64(at.0 as f64));
    format
        .call1(&JsValue::UNDEFINED, &date)
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_default()
}

/// Weekday, date and time in full.
pub fn full(at: Millis) -> String {
    formatted(at, &[("dateStyle", "full"), ("timeStyle", "short")])
}

/// The hour and minute.
pub fn hour(at: Millis) -> String {
    formatted(at, &[("timeStyle", "short")])
}

/// The weekday in short.
pub fn weekday(at: Millis) -> String {
    formatted(at, &[("weekday", "short")])
}

/// Day and month in short.
pub fn day(at: Millis) -> String {
    formatted(at, &[("day", "numeric"), ("month", "short")])
}

/// Weekday, day and month; the year where it is another than this one's, and a word for today.
pub fn whole_day(at: Millis) -> String {
    let words = [("weekday", "long"), ("day", "numeric"), ("month", "long")];
    let with_year =
        |at: Millis| formatted(at, &[words.as_slice(), &[("year", "numeric")]].concat());
    let year = |at: Millis| formatted(at, &[("year", "numeric")]);
    if with_year(at) == with_year(now()) {
        format!("Today, {}", formatted(at, &words))
    } else if year(at) == year(now()) {
        formatted(at, &words)
    } else {
        with_year(at)
    }
}

/// Day, month and year in short.
pub fn date(at: Millis) -> String {
    formatted(at, &[("dateStyle", "medium")])
}

/// The same as ISO 8601, for machines.
pub fn iso(at: Millis) -> String {
    let date = Date::new(&JsValue::from_f64(at.0 as f64));
    // A date out of JavaScript's range has no such form.
    if date.get_time().is_nan() {
        return String::new();
    }
    date.to_iso_string().into()
}
