//! Formulas as `MathML` elements. Names and attributes are held against the vocabulary's lists once more, right where
//! elements are made, because a name from elsewhere could be any element at all.

use rex_shared::document::{MATH_ATTRIBUTES, MATH_ELEMENTS, MathMl};
use web_sys::{Document, Element};

const MATHML: &str = "http://www.w3.org/1998/Math/MathML";

/// Draws a formula into an element.
pub fn draw(formula: &MathMl, into: &Element) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    if let Some(element) = element(formula, &document) {
        into.replace_children_with_node_1(&element);
    }
}

fn element(formula: &MathMl, document: &Document) -> Option<Element> {
    let name = MATH_ELEMENTS
        .contains(&formula.name.as_str())
        .then_some(formula.name.as_str());
    // What is not on the list keeps its text, so that the words on the page stay those of the reading.
    let element = document
        .create_element_ns(Some(MATHML), name.unwrap_or("mrow"))
        .ok()?;
    for (name, value) in &formula.attributes {
        if MATH_ATTRIBUTES.contains(&name.as_str()) {
            element.set_attribute(name, value).ok()?;
        }
    }
    if !formula.text.is_empty() {
        element
            .append_child(&document.create_text_node(&formula.text))
            .ok()?;
    }
    for child in &formula.children {
        let child = self::element(child, document)?;
        element.append_child(&child).ok()?;
    }
    Some(element)
}
