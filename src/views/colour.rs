//! CSS colours.

use crate::core::error::Quoted;
use crate::util::suggestion::nearest;

/// The names of colours, separated by spaces.
const NAMES: &str = "\
    currentcolor transparent aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue \
    blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue \
    darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid \
    darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink \
    deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold \
    goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush \
    lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey \
    lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime \
    limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen \
    mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin \
    navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise \
    palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue \
    saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow \
    springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen";

/// The functions that compute a colour from numbers.
const FUNCTIONS: [&str; 11] =
    ["rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix"];

/// Checks a colour, and returns it unchanged: a name, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, or a function such as
/// `rgb(0 0 0 / 50%)`, whose numbers are not checked.
///
/// # Errors
/// A description of the mistake, with the name of the field.
pub(crate) fn checked<'a>(field: &str, text: &'a str) -> Result<&'a str, String> {
    let name = text.to_ascii_lowercase();
    let is_hex =
        |digits: &str| [3, 4, 6, 8].contains(&digits.len()) && digits.chars().all(|digit| digit.is_ascii_hexdigit());
    let is_call = |(function, rest): (&str, &str)| {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "#,.%/ -".contains(letter);
        FUNCTIONS.contains(&function) && rest.strip_suffix(')').is_some_and(|inner| inner.chars().all(fits))
    };
    let is_short = text.len() <= 60;
    let is_colour = name.strip_prefix('#').map_or_else(|| NAMES.split(' ').any(|known| known == name), is_hex);
    if is_short && (is_colour || name.split_once('(').is_some_and(is_call)) {
        return Ok(text);
    }
    let hint = nearest(text, NAMES.split(' ')).map(|name| format!("did you mean {name}?"));
    let hint = hint.unwrap_or_else(|| "write a name of CSS such as red, or #f00, #ff0000, #ff000080".into());
    Err(format!("{field}: {} is no colour; {hint}", Quoted::new(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_css_are_colours() {
        for good in ["red", "RebeccaPurple", "transparent", "#f00", "#F008", "#ff0000", "#ff000080", "rgb(0 0 0 / 50%)"]
        {
            assert_eq!(checked("fill", good), Ok(good));
        }
        for bad in ["", "#", "#f", "#ff00000", "#ggg", "nosuch", "rgb(0", "url(#x)", "red blue", "rgb(0)\"/><script>"] {
            assert!(checked("fill", bad).is_err(), "{bad}");
        }
        assert_eq!(checked("fill", "gren"), Err("fill: \"gren\" is no colour; did you mean green?".into()));
    }
}
