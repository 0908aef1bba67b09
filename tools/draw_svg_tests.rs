//! Tests of draw_svg.rs: what stands in the document, and where. That it is XML, lit has a parser of it say.

use super::*;
use crate::draw::tests::{drawing, fragment, layout};
use ptx_tile_dialect::layout::Layout;
use ptx_tile_dialect::legality::Space;

/// The value of an attribute in each element with that name.
fn all(svg: &str, element: &str, attribute: &str) -> Vec<String> {
    let start = format!("<{element} ");
    let name = format!(" {attribute}=\"");
    let elements = svg.split(&start).skip(1).map(|rest| format!(" {}", rest.split('>').next().unwrap()));
    let value = |text: String| Some(text.split_once(&name)?.1.split('"').next()?.to_string());
    elements.filter_map(value).collect()
}

#[test]
fn neighbours_of_one_owner_are_one_rectangle() {
    let svg = svg(&[fragment()]);
    assert_eq!(svg.matches("<title>").count(), 64, "two elements each");
    assert!(svg.contains("<title>row 3, columns 10 to 11: W6,10 T13, m 0,1</title>"));
    assert_eq!(svg.matches(">W6,10 T13</text>").count(), 1);
    assert_eq!(svg.matches(">W6,10</text>").count(), 1, "a line of the legend");
}

#[test]
fn heavy_lines_part_groups() {
    let picture = svg(&[fragment()]);
    let [path] = all(&picture, "path", "d").try_into().expect("one path");
    // Around all, and once from top to bottom between columns 7 and 8.
    assert_eq!(path.matches('M').count(), 2);
    let line = path.rsplit('M').next().unwrap();
    assert!(line.ends_with(&format!("v{}", 8 * (2 * SMALL + 7))), "{line}");
}

#[test]
fn all_is_inside() {
    let tall = drawing(Layout::row_major(&[128, 64]).unwrap(), &[128, 64], Space::Memory(1), 32);
    let one = drawing(Layout::row_major(&[]).unwrap(), &[], Space::Register, 32);
    let long = layout(&[(300, 1, "tx")], &[], &[(1, "bx")]);
    for drawing in [fragment(), tall, one, drawing(long, &[300], Space::Register, 16)] {
        let svg = svg(&[drawing]);
        let size = |attribute| all(&svg, "svg", attribute)[0].parse::<usize>().unwrap();
        let (width, height) = (size("width"), size("height"));
        let numbers = |element, attribute| {
            all(&svg, element, attribute).into_iter().map(|text| text.parse::<usize>().unwrap_or(0)).collect::<Vec<_>>()
        };
        let ends = |at, size| numbers("rect", at).into_iter().zip(numbers("rect", size).into_iter().skip(1));
        assert!(ends("x", "width").all(|(x, its)| x + its + 2 * MARGIN <= width));
        assert!(ends("y", "height").all(|(y, its)| y + its + 2 * MARGIN <= height));
        assert!(numbers("text", "x").into_iter().all(|x| x + MARGIN <= width));
        assert!(numbers("text", "y").into_iter().all(|y| y + MARGIN <= height));
    }
}

#[test]
fn drawings_stand_below_each_other() {
    let both = svg(&[fragment(), fragment()]);
    let heights: Vec<String> = all(&both, "svg", "height");
    let alone = all(&svg(&[fragment()]), "svg", "height");
    assert_eq!(heights[0].parse::<usize>().unwrap(), 2 * alone[0].parse::<usize>().unwrap());
}

#[test]
fn text_is_escaped() {
    assert_eq!(escaped("a<b>&\"\u{1}\n"), "a&lt;b&gt;&amp;\"\u{fffd} ");
}

#[test]
fn titles_are_broken_at_spaces() {
    assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
    assert_eq!(wrapped("onetwothree", 4), ["onet", "woth", "ree"]);
    assert_eq!(wrapped("", 4), [""]);
}

/// The contrast of WCAG between black and a colour: 4.5 is legible.
#[test]
fn black_is_legible_on_every_colour() {
    for (group, hue) in (0..4).flat_map(|group| (0..32).map(move |hue| (group, hue))) {
        let owner = Owner { outer: String::new(), inner: String::new(), group, hue };
        let linear = |part: f64| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
        let [red, green, blue] = rgb(&owner).map(linear);
        let contrast = (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) / 0.05;
        assert!(contrast > 4.5, "group {group}, hue {hue}: {contrast}");
    }
}

#[test]
fn colours_are_distinct() {
    let owner = |group, hue| Owner { outer: String::new(), inner: String::new(), group, hue };
    let mut all: Vec<String> = (0..4).flat_map(|group| (0..32).map(move |hue| fill(&owner(group, hue)))).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4 * 32);
    // Red, green and blue of HSL are where they belong.
    assert_eq!(fill(&owner(0, 0)), "#f28c8c");
}
