//! The few style properties that carry meaning in a text. Values are words from fixed lists, so that no style can load,
//! move, hide or cover anything.

/// The allowed properties.
pub(crate) const PROPERTIES: [&str; 9] = [
    "text-align",
    "font-weight",
    "font-style",
    "font-variant",
    "text-decoration",
    "vertical-align",
    "white-space",
    "direction",
    "list-style-type",
];

fn allowed_values(property: &str) -> &'static [&'static str] {
    match property {
        "text-align" => &["left", "right", "center", "justify", "start", "end"],
        "font-weight" => {
            &["bold", "bolder", "lighter", "100", "200", "300", "400", "500", "600", "700", "800", "900", "normal"]
        }
        "font-variant" => &["small-caps", "normal"],
        "font-style" => &["italic", "oblique", "normal"],
        "text-decoration" => &["underline", "line-through", "overline", "none"],
        "vertical-align" => &["sub", "super", "top", "middle", "bottom", "baseline", "text-top", "text-bottom"],
        "white-space" => &["pre", "pre-wrap", "pre-line", "nowrap", "normal"],
        "direction" => &["ltr", "rtl"],
        "list-style-type" => &[
            "disc",
            "circle",
            "square",
            "decimal",
            "decimal-leading-zero",
            "lower-alpha",
            "upper-alpha",
            "lower-latin",
            "upper-latin",
            "lower-roman",
            "upper-roman",
            "lower-greek",
            "none",
        ],
        _ => &[],
    }
}

/// Returns the allowed part of a style attribute, with the old `align` attribute as its alignment; empty if nothing is
/// allowed.
pub(crate) fn keep(style: &str, align: Option<&str>) -> String {
    let mut allowed: Vec<(&'static str, &'static str)> = Vec::new();
    let mut set = |property: &str, value: &str| {
        let Some(property) = PROPERTIES.iter().find(|known| **known == property) else { return };
        let Some(word) = allowed_values(property).iter().find(|word| **word == value) else { return };
        allowed.retain(|(known, _)| known != property);
        allowed.push((property, word));
    };
    if let Some(align) = align {
        set("text-align", &align.trim().to_ascii_lowercase());
    }
    for declaration in style.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let value = value.trim().to_ascii_lowercase();
        let value = value.strip_suffix("!important").unwrap_or(&value).trim_end();
        match &*property.trim().to_ascii_lowercase() {
            // Browsers write the long form into pasted text; a colour and a style may follow the line.
            "text-decoration" | "text-decoration-line" => {
                value.split_ascii_whitespace().for_each(|word| set("text-decoration", word));
            }
            "list-style" if value.split_ascii_whitespace().any(|word| word == "none") => set("list-style-type", "none"),
            property => set(property, value),
        }
    }
    let mut out = String::new();
    for (property, word) in allowed {
        if !out.is_empty() {
            out.push(';');
        }
        out.push_str(property);
        out.push(':');
        out.push_str(word);
    }
    out
}

/// Returns a length in pixels from a style attribute.
pub(crate) fn pixels(style: &str, property: &str) -> Option<u32> {
    style.split(';').find_map(|declaration| {
        let (name, value) = declaration.split_once(':')?;
        name.trim().eq_ignore_ascii_case(property).then_some(())?;
        let value = value.trim();
        let value = value.strip_suffix("!important").unwrap_or(value).trim_end();
        value.strip_suffix("px").unwrap_or(value).trim_end().parse().ok()
    })
}

/// Whether a style attribute hides its element.
pub(crate) fn hides(css: &str) -> bool {
    css.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        let value = value.trim().to_ascii_lowercase();
        let value = value.strip_suffix("!important").unwrap_or(&value).trim_end();
        matches!((&*property.trim().to_ascii_lowercase(), value), ("display", "none") | ("visibility", "hidden"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_meaningful_values() {
        assert_eq!(
            keep("TEXT-ALIGN: Center; color: red; font-weight:bold !important; font-variant: small-caps", None),
            "text-align:center;font-weight:bold;font-variant:small-caps"
        );
        assert_eq!(keep("text-align:expression(x);position:fixed;list-style-type:url(x)", None), "");
        assert_eq!(keep("", Some(" RIGHT")), "text-align:right");
        assert_eq!(keep("list-style: none outside", None), "list-style-type:none");
        assert_eq!(keep("text-align:left", Some("right")), "text-align:left");
        for decoration in ["text-decoration: line-through 2px red", "text-decoration-line:line-through"] {
            assert_eq!(keep(decoration, None), "text-decoration:line-through");
        }
    }

    #[test]
    fn reads_lengths_in_pixels() {
        assert_eq!(pixels("height:1px;width: 0", "width"), Some(0));
        assert_eq!(pixels("height:1px", "height"), Some(1));
        assert_eq!(pixels("height:1em", "height"), None);
    }
}
