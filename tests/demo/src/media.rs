//! Images and audio made from a name: the same name gives the same content.

use flate2::{Compression, Crc, write::ZlibEncoder};
use std::f64::consts::TAU;
use std::io::Write;

/// Returns a hash of a name (FNV-1a).
fn seed(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

type Colour = [f64; 3];

/// Colours: sky, sky at the horizon, sun, far hills, near hills.
const PALETTES: &[[Colour; 5]] = &[
    [[238.0, 198.0, 139.0], [248.0, 230.0, 196.0], [242.0, 169.0, 59.0], [217.0, 160.0, 90.0], [74.0, 40.0, 18.0]],
    [[120.0, 160.0, 196.0], [232.0, 226.0, 214.0], [250.0, 240.0, 214.0], [140.0, 164.0, 160.0], [38.0, 62.0, 64.0]],
    [[38.0, 40.0, 72.0], [196.0, 120.0, 112.0], [244.0, 214.0, 170.0], [92.0, 70.0, 104.0], [22.0, 22.0, 40.0]],
    [[190.0, 202.0, 204.0], [236.0, 236.0, 230.0], [255.0, 250.0, 236.0], [168.0, 180.0, 178.0], [84.0, 98.0, 92.0]],
    [[210.0, 150.0, 130.0], [246.0, 216.0, 190.0], [222.0, 92.0, 62.0], [176.0, 128.0, 110.0], [70.0, 48.0, 52.0]],
];

fn mix(a: Colour, b: Colour, part: f64) -> Colour {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part.clamp(0.0, 1.0))
}

/// Returns a landscape as PNG.
pub fn picture(name: &str, width: u32, height: u32) -> Vec<u8> {
    let seed = seed(name);
    let part = |shift: u32| ((seed >> shift) & 0xff) as f64 / 255.0;
    let [top, low, sun, far, near] = PALETTES[(seed % PALETTES.len() as u64) as usize];
    let (sun_x, sun_y) = (0.15 + 0.7 * part(8), 0.25 + 0.25 * part(16));
    const LAYERS: u32 = 4;
    let ratio = f64::from(width) / f64::from(height);
    let mut rows = Vec::with_capacity((width as usize * 3 + 1) * height as usize);
    for row in 0..height {
        rows.push(0);
        let y = f64::from(row) / f64::from(height);
        for column in 0..width {
            let x = f64::from(column) / f64::from(width);
            let away = ((x - sun_x) * ratio).hypot(y - sun_y);
            let mut colour = mix(top, low, y / 0.6);
            colour = mix(colour, sun, (0.105 - away) * 240.0);
            for layer in 0..LAYERS {
                let depth = f64::from(layer) / f64::from(LAYERS - 1);
                let phase = part(20 + 6 * layer) * TAU;
                let wave = (x * (5.0 + 3.0 * depth) + phase).sin() * 0.045
                    + (x * (13.0 - 4.0 * depth) + 2.0 * phase).sin() * 0.018;
                let ridge = 0.55 + 0.13 * f64::from(layer) + wave;
                colour = mix(colour, mix(far, near, depth), (y - ridge) * f64::from(height));
            }
            rows.extend(colour.map(|channel| channel.clamp(0.0, 255.0) as u8));
        }
    }
    png(width, height, &rows)
}

/// Encodes rows of RGB, each with a leading 0 (no filter), as PNG.
fn png(width: u32, height: u32, rows: &[u8]) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail; if it did, the image would be empty.
    let packed = packed.write_all(rows).and_then(|()| packed.finish()).unwrap_or_default();
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 2, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", header), (b"IDAT", packed), (b"IEND", Vec::new())] {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(&data);
        out.extend((data.len() as u32).to_be_bytes());
        out.extend(kind);
        out.extend(&data);
        out.extend(crc.sum().to_be_bytes());
    }
    out
}

/// Returns three plucked notes as WAV, 8 bits, one channel.
pub fn sound(name: &str) -> Vec<u8> {
    const RATE: u32 = 11_025;
    const SECONDS: u32 = 6;
    const SCALE: [f64; 5] = [220.0, 246.94, 277.18, 329.63, 369.99];
    let seed = seed(name);
    let note = |number: u32| SCALE[((seed >> (8 * number)) % 5) as usize];
    let notes = [(0.0, note(0)), (2.0, note(1)), (4.0, note(0))];
    let samples = (0..RATE * SECONDS).map(|at| {
        let time = f64::from(at) / f64::from(RATE);
        let sum: f64 = notes
            .iter()
            .filter(|(start, _)| time >= *start)
            .map(|(start, pitch)| {
                let since = time - start;
                (since * pitch * TAU).sin() * (-2.2 * since).exp()
                    + 0.4 * (since * pitch * 2.0 * TAU).sin() * (-4.0 * since).exp()
            })
            .sum();
        (128.0 + 60.0 * sum).clamp(0.0, 255.0) as u8
    });
    let body: Vec<u8> = samples.collect();
    let length = body.len() as u32;
    let mut out = b"RIFF".to_vec();
    out.extend((36 + length).to_le_bytes());
    out.extend(b"WAVEfmt ");
    out.extend(16u32.to_le_bytes());
    out.extend([1, 0, 1, 0]);
    out.extend(RATE.to_le_bytes());
    out.extend(RATE.to_le_bytes());
    out.extend([1, 0, 8, 0]);
    out.extend(b"data");
    out.extend(length.to_le_bytes());
    out.extend(body);
    out
}
