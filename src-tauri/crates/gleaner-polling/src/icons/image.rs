//! Recognises icons by their first bytes and selects the image to store. Nothing is decoded.

/// Maximum size of an icon, in bytes: the window draws a thousand of them.
const MAX_ICON: usize = 16 << 10;
/// Width in pixels from which an icon that is drawn sixteen wide is sharp on most screens.
const SHARP_WIDTH: u32 = 32;

/// Returns the icon in a file and its type; `None` if it holds none. Of a Windows icon, which holds several images, returns the most
/// suitable one.
pub(super) fn icon(bytes: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    let (kind, bytes) = match bytes {
        [0, 0, 1, 0, ..] => best(bytes)?,
        _ => (gleaner_library::image_type(bytes).filter(|kind| *kind != "image/avif")?, bytes.to_vec()),
    };
    (bytes.len() <= MAX_ICON).then_some((kind, bytes))
}

const HEAD: usize = 6;
const ENTRY: usize = 16;

/// Returns the smallest image of a Windows icon that is sharp, else the largest: as a PNG if it is one, else as an icon with one image.
fn best(bytes: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    let count = usize::from(u16::from_le_bytes([*bytes.get(4)?, *bytes.get(5)?]));
    let number = |entry: &[u8], at: usize| {
        let four = entry.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(four)).ok()
    };
    let read = |entry: &[u8]| {
        // 0 means 256.
        let width = entry.first().map(|width| if *width == 0 { 256 } else { u32::from(*width) })?;
        let (length, at) = (number(entry, 8)?, number(entry, 12)?);
        Some((width, entry.to_vec(), bytes.get(at..at.checked_add(length)?)?))
    };
    let entries = bytes.get(HEAD..)?.chunks_exact(ENTRY).take(count.min(64)).filter_map(read);
    let entries = entries.filter(|(_, _, content)| content.len() > ENTRY);
    let (_, entry, content) =
        entries.min_by_key(|(width, ..)| if *width >= SHARP_WIDTH { (0, *width) } else { (1, u32::MAX - *width) })?;
    if gleaner_library::image_type(content) == Some("image/png") {
        return Some(("image/png", content.to_vec()));
    }
    let mut alone = vec![0, 0, 1, 0, 1, 0];
    alone.extend_from_slice(&entry[..12]);
    alone.extend_from_slice(&u32::try_from(HEAD + ENTRY).unwrap_or_default().to_le_bytes());
    alone.extend_from_slice(content);
    Some(("image/x-icon", alone))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(pictures: &[(u8, Vec<u8>)]) -> Vec<u8> {
        let mut file = vec![0, 0, 1, 0, u8::try_from(pictures.len()).unwrap_or_default(), 0];
        let mut at = HEAD + ENTRY * pictures.len();
        for (width, content) in pictures {
            file.extend([*width, *width, 0, 0, 1, 0, 32, 0]);
            file.extend(u32::try_from(content.len()).unwrap_or_default().to_le_bytes());
            file.extend(u32::try_from(at).unwrap_or_default().to_le_bytes());
            at += content.len();
        }
        pictures.iter().for_each(|(_, content)| file.extend(content));
        file
    }

    #[test]
    fn selects_the_smallest_sharp_image_of_a_windows_icon() {
        let (small, right, large) = (vec![1; 1000], vec![2; 4000], vec![3; 20_000]);
        let file = windows(&[(16, small.clone()), (0, large.clone()), (32, right.clone())]);
        assert_eq!(icon(&file), Some(("image/x-icon", windows(&[(32, right)]))));
        assert_eq!(icon(&windows(&[(16, small.clone())])), Some(("image/x-icon", windows(&[(16, small.clone())]))));
        assert_eq!(icon(&windows(&[(16, small), (64, large)])), None, "the best one is too large");
        let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0; 100]].concat();
        assert_eq!(icon(&windows(&[(32, png.clone())])), Some(("image/png", png)));
    }

    #[test]
    fn rejects_files_that_are_no_icons() {
        assert_eq!(icon(b"GIF89a, small").map(|(kind, _)| kind), Some("image/gif"));
        assert_eq!(icon(&[b"GIF89a".as_slice(), &[0; MAX_ICON]].concat()), None);
        let mut cut = windows(&[(32, vec![1; 100])]);
        cut.truncate(60);
        for other in
            [b"<svg xmlns".as_slice(), b"<!doctype html>", b"", &[0, 0, 1, 0], &[0, 0, 1, 0, 255, 255, 1], &cut]
        {
            assert_eq!(icon(other), None, "{other:?}");
        }
    }
}
