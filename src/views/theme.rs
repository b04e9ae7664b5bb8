//! The colours of drawings in the light and the dark theme.

use crate::core::picture::Paint;
use std::str::FromStr;

/// The colours of a drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The colours of the notebook or site that shows the drawing, otherwise those of the browser.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// Returns the name: `auto`, `light` or `dark`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl FromStr for Theme {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Auto, Self::Light, Self::Dark].into_iter().find(|theme| theme.name() == text).ok_or(())
    }
}

/// The selectors by which notebooks and sites mark a light theme.
const DAY: &str = r#":is([data-jp-theme-light="true"],.vscode-light,.theme-light,[data-theme="light"],[data-md-color-scheme="default"])"#;

/// The same for a dark theme.
const NIGHT: &str =
    r#":is([data-jp-theme-light="false"],.vscode-dark,.theme-dark,[data-theme="dark"],[data-md-color-scheme="slate"])"#;

pub(crate) const fn class(paint: Paint) -> &'static str {
    Paint::COLOURS[paint as usize].0
}

/// Returns the rules of a CSS class for both themes, chosen by the page or else by the browser. `rules` writes them
/// within a selector, light (0) or dark (1).
pub fn themed(class: &str, rules: &dyn Fn(&str, usize) -> String) -> String {
    let own = format!(".{class}");
    let within = |page: &str, night| rules(&format!("{page} {own}"), night);
    let dark = rules(&own, 1);
    let browser = format!("{}@media (prefers-color-scheme:dark){{{dark}}}", rules(&own, 0));
    browser + &within(DAY, 0) + &within(NIGHT, 1)
}

/// Returns the style of the classes that a drawing of this theme has.
pub(crate) fn style(theme: Theme, body: &str) -> String {
    let rules = |within: &str, night: usize| {
        let mut rules = String::new();
        for (class, colours) in Paint::COLOURS {
            for (suffix, property) in [("", "fill"), ("-line", "stroke")] {
                if body.contains(&format!("class=\"{class}{suffix}\"")) {
                    rules += &format!("{within} .{class}{suffix}{{{property}:{}}}", colours[night]);
                }
            }
        }
        rules
    };
    let class = format!("secateurs-{}", theme.name());
    match theme {
        Theme::Auto => themed(&class, &rules),
        Theme::Light => rules(&format!(".{class}"), 0),
        Theme::Dark => rules(&format!(".{class}"), 1),
    }
}
