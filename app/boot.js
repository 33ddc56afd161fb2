// The one script of the static shell: theme before the first paint, the gate for static markup, the start of the page.
"use strict";

const root = document.documentElement;

try {
  const theme = localStorage.getItem("rex-theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
} catch {
  // Storage is forbidden: the theme follows the system.
}

// Leptos puts the static parts of a view in as markup. Only these tags and attributes pass, and never a script, a
// handler, a style or an address; whatever a document or an agent says reaches the page as nodes and text, not here.
const TAGS = new Set(
  ("a abbr article aside b br button caption code dd details dialog div dl dt em fieldset footer form h1 h2 h3 h4 h5 h6 " +
    "header hr i input kbd label legend li main nav ol option p pre section select small span strong summary svg table " +
    "tbody td textarea th thead time tr ul use").split(" "),
);
const ATTRIBUTES = new Set(
  ("class id role type name value for title lang dir hidden tabindex scope colspan rowspan open disabled checked " +
    "placeholder autocomplete spellcheck inputmode maxlength rows method viewbox width height").split(" "),
);
const TAG = /<\/?([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>|<!(?:--[^<>]*--)?>/gi;
const ATTRIBUTE = /([a-z-]+)(?:="[^"]*")?/gi;

function isOurs(html) {
  let passes = true;
  const rest = html.replace(TAG, (tag, name, attributes) => {
    if (name === undefined) return "";
    if (!TAGS.has(name.toLowerCase())) passes = false;
    for (const [, attribute] of (attributes ?? "").matchAll(ATTRIBUTE)) {
      const word = attribute.toLowerCase();
      if (!ATTRIBUTES.has(word) && !word.startsWith("aria-") && !word.startsWith("data-")) passes = false;
    }
    return "";
  });
  return passes && !rest.includes("<");
}

// No createScript and no createScriptURL: both are refused.
window.trustedTypes?.createPolicy("default", {
  createHTML(html) {
    if (isOurs(html)) return html;
    throw new TypeError("REX refuses this markup");
  },
});

function start() {
  import(root.dataset.glue)
    .then((page) => page.default({ module_or_path: root.dataset.wasm }))
    .catch((error) => {
      console.error(error);
      const sentence = document.createElement("p");
      sentence.setAttribute("role", "alert");
      sentence.textContent = "REX could not start in this browser. Reload the page; if that does not help, run rex doctor.";
      document.body.append(sentence);
    });
}

if (document.readyState === "loading") addEventListener("DOMContentLoaded", start, { once: true });
else start();
