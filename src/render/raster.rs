//! Pictures: SVG to PNG, with a font that is part of the program.

use std::io::{Read, Write};
use std::sync::{Arc, LazyLock};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use usvg::fontdb;

use super::paint::paint;

/// Pixels a unit of a drawing: crisp on screens of double density.
pub const SCALE: u32 = 2;

/// Wider drawings get one pixel a unit: such a drawing is shrunk when all of it is seen, so it is
/// sharp all the same.
const LARGE: f32 = 1500.0;

/// How hard a PNG is packed: two levels more save six bytes in a hundred, and cost a tenth of the
/// time of a picture.
const DEFLATE: u8 = 2;

/// Steps between the levels of a colour channel.
const STEP: u8 = 17;

/// A picture that can't be made.
#[derive(Debug, thiserror::Error)]
#[error("a picture can't be made: {0}")]
pub struct PictureError(pub String);

/// The fonts of every picture and page: DejaVu Sans, under a free licence.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(plain(dejavu::sans::regular()));
    fonts.load_font_data(plain(dejavu::sans::bold()));
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// Tables of a font that say how letters are placed beside others: pairs, ligatures, marks.
const PAIRS: [&[u8; 4]; 4] = [b"GDEF", b"GPOS", b"GSUB", b"kern"];

/// The font without these tables, so that letters are as wide in any word as by themselves: a word
/// is as wide as it was measured, and no label costs a reading of long tables. Names of tables are
/// in sorted records of 16 bytes after the first twelve bytes (OpenType, "Table directory").
fn plain(font: &[u8]) -> Vec<u8> {
    let mut font = font.to_vec();
    let tables = usize::from(u16::from_be_bytes([font[4], font[5]]));
    for record in font[12..].chunks_exact_mut(16).take(tables) {
        if let Some((name, _)) = record.split_first_chunk_mut::<4>()
            && PAIRS.contains(&&*name)
        {
            // The new name is one that nobody asks for, in the same place of the order.
            name[3] += 1;
        }
    }
    font
}

/// An SVG as a tree that can be drawn on pixels or on paper.
///
/// # Errors
/// [`PictureError`] when it is not an SVG.
pub fn tree(svg: &str) -> Result<usvg::Tree, PictureError> {
    let options = usvg::Options {
        font_family: "DejaVu Sans".to_owned(),
        fontdb: Arc::clone(&FONTS),
        // Our pictures refer to no others.
        resources_dir: None,
        ..usvg::Options::default()
    };
    usvg::Tree::from_str(svg, &options).map_err(|e| PictureError(e.to_string()))
}

/// An SVG as a PNG.
///
/// # Errors
/// [`PictureError`] when it can't be drawn or written.
pub fn png(svg: &str) -> Result<Vec<u8>, PictureError> {
    let tree = tree(svg)?;
    let mut film = Film::new(if tree.size().width() > LARGE { 1 } else { SCALE });
    film.expose(svg, &tree)?;
    film.png(0)
}

/// Pictures that follow each other, as one PNG.
pub struct Film {
    scale: u32,
    palette: Palette,
    frames: Vec<Frame>,
}

/// One picture of a film.
struct Frame {
    size: (u32, u32),
    /// Numbers of colours, row by row; packed when the next picture comes, because a film of a long
    /// game would fill the memory.
    numbers: Vec<u8>,
    packed: bool,
}

impl Frame {
    fn pack(&mut self) -> std::io::Result<()> {
        if !self.packed {
            let mut pack = DeflateEncoder::new(Vec::new(), Compression::fast());
            pack.write_all(&self.numbers)?;
            (self.numbers, self.packed) = (pack.finish()?, true);
        }
        Ok(())
    }

    /// Its numbers on a larger sheet, the room beside it filled.
    fn on(self, sheet: (u32, u32), fill: u8) -> std::io::Result<Vec<u8>> {
        let mut numbers = self.numbers;
        if self.packed {
            let mut unpacked = Vec::new();
            DeflateDecoder::new(numbers.as_slice()).read_to_end(&mut unpacked)?;
            numbers = unpacked;
        }
        if self.size == sheet {
            return Ok(numbers);
        }
        // Pictures have fewer pixels than memory has bytes.
        let (wide, sheet_wide, sheet_high) =
            (self.size.0 as usize, sheet.0 as usize, sheet.1 as usize);
        let mut larger = vec![fill; sheet_wide * sheet_high];
        for (from, to) in numbers.chunks(wide.max(1)).zip(larger.chunks_mut(sheet_wide.max(1))) {
            to[..from.len()].copy_from_slice(from);
        }
        Ok(larger)
    }
}

impl Film {
    /// A film without pictures yet, with `scale` pixels to a unit.
    pub fn new(scale: u32) -> Self {
        Self { scale, palette: Palette::default(), frames: Vec::new() }
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// [`PictureError`] when it is not an SVG.
    pub fn add(&mut self, svg: &str) -> Result<(), PictureError> {
        self.expose(svg, &tree(svg)?)
    }

    fn expose(&mut self, svg: &str, tree: &usvg::Tree) -> Result<(), PictureError> {
        let drawn = paint(tree, self.scale).map_err(PictureError)?;
        let (wide, high) = (u32::from(drawn.width()), u32::from(drawn.height()));
        if let Some(last) = self.frames.last_mut() {
            last.pack().map_err(|e| PictureError(e.to_string()))?;
        }
        self.palette.name(svg);
        let (pixels, _) = drawn.data_as_u8_slice().as_chunks::<4>();
        let numbers = self.palette.numbers(pixels);
        self.frames.push(Frame { size: (wide, high), numbers, packed: false });
        Ok(())
    }

    /// The pictures as a PNG, an animated one (APNG) when there are several: of the size of
    /// the largest, smaller ones in its north-western corner.
    ///
    /// # Errors
    /// [`PictureError`] when it can't be written.
    pub fn png(mut self, frame_ms: u16) -> Result<Vec<u8>, PictureError> {
        let failed = |e: png::EncodingError| PictureError(e.to_string());
        let side = |of: fn(&Frame) -> u32| self.frames.iter().map(of).max().unwrap_or(0);
        let size = (side(|f| f.size.0), side(|f| f.size.1));
        let fill = match self.frames.iter().all(|f| f.size == size) {
            true => 0,
            false => self.palette.number([0xff; 3]),
        };
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(self.palette.colours.concat());
        // Numbers of colours have no order, so a filter would make them larger.
        encoder.set_deflate_compression(png::DeflateCompression::Level(DEFLATE));
        encoder.set_filter(png::Filter::NoFilter);
        let count = u32::try_from(self.frames.len()).unwrap_or(u32::MAX);
        if count > 1 {
            encoder.set_animated(count, 0).map_err(failed)?;
            encoder.set_frame_delay(frame_ms, 1000).map_err(failed)?;
        }
        let mut writer = encoder.write_header().map_err(failed)?;
        for frame in self.frames {
            let numbers = frame.on(size, fill).map_err(|e| PictureError(e.to_string()))?;
            writer.write_image_data(&numbers).map_err(failed)?;
        }
        writer.finish().map_err(failed)?;
        Ok(bytes)
    }
}

/// Colours of the edges of a picture, at most, besides those that it names: more can't be seen, and
/// make its PNG larger by a tenth.
const EDGES: usize = 64;

/// Colours by number, at most 256 of the 4,096 that there are.
struct Palette {
    colours: Vec<[u8; 3]>,
    numbers: Vec<Option<u8>>,
}

impl Default for Palette {
    fn default() -> Self {
        Self { colours: Vec::new(), numbers: vec![None; 4096] }
    }
}

impl Palette {
    /// Gives numbers to the colours that a picture names, before its edges take them: every one
    /// is written with three digits.
    fn name(&mut self, svg: &str) {
        for part in svg.split("=\"#").skip(1) {
            let digits: Option<Vec<u8>> = part
                .split('"')
                .next()
                .into_iter()
                .flat_map(str::chars)
                // A hexadecimal digit.
                .map(|c| c.to_digit(16).map(|d| d as u8 * STEP))
                .collect();
            if let Some([r, g, b]) = digits.as_deref() {
                self.number([*r, *g, *b]);
            }
        }
    }

    /// The numbers of the colours of pixels. Among the colours that a picture does not name, those
    /// of most pixels get their own numbers; every other gets that of the nearest one.
    fn numbers(&mut self, pixels: &[[u8; 4]]) -> Vec<u8> {
        let mut runs: Vec<(u16, u32)> = Vec::with_capacity(pixels.len() / 8);
        let mut counts = vec![0_u32; self.numbers.len()];
        // Most pixels have the colour of the one before.
        for run in pixels.chunk_by(|a, b| u32::from_ne_bytes(*a) == u32::from_ne_bytes(*b)) {
            let [r, g, b, _] = run[0];
            // A picture has fewer pixels than there are numbers of 32 bits, and 4,096 colours.
            let (slot, long) = (slot([r, g, b]) as u16, run.len() as u32);
            counts[usize::from(slot)] += long;
            match runs.last_mut() {
                Some(last) if last.0 == slot => last.1 += long,
                _ => runs.push((slot, long)),
            }
        }
        let new = (0..counts.len()).filter(|n| counts[*n] > 0 && self.numbers[*n].is_none());
        let mut new: Vec<usize> = new.collect();
        new.sort_by_key(|n| (std::cmp::Reverse(counts[*n]), *n));
        for (nth, n) in new.into_iter().enumerate() {
            let colour = [n >> 8, n >> 4 & 15, n & 15].map(|c| c as u8 * STEP);
            match nth < EDGES {
                true => self.number(colour),
                false => self.nearest(colour),
            };
        }
        let mut numbers = Vec::with_capacity(pixels.len());
        for (slot, long) in runs {
            let number = self.numbers[usize::from(slot)].unwrap_or(0);
            numbers.resize(numbers.len() + long as usize, number);
        }
        numbers
    }

    /// The number of a colour, its channels rounded to steps of 17; when all numbers are
    /// taken, that of the nearest colour.
    fn number(&mut self, colour: [u8; 3]) -> u8 {
        let slot = slot(colour);
        if let Some(number) = self.numbers[slot] {
            return number;
        }
        let Ok(free) = u8::try_from(self.colours.len()) else { return self.nearest(colour) };
        self.colours.push(colour.map(|c| LEVELS[usize::from(c)] * STEP));
        self.numbers[slot] = Some(free);
        free
    }

    /// The number of the nearest colour that has one, which it keeps.
    fn nearest(&mut self, colour: [u8; 3]) -> u8 {
        let far = |c: &[u8; 3]| {
            c.iter().zip(colour).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum::<u32>()
        };
        let nearest = (0..=u8::MAX).zip(&self.colours).min_by_key(|(_, c)| far(c));
        let number = nearest.map_or(0, |(number, _)| number);
        self.numbers[slot(colour)] = Some(number);
        number
    }
}

/// For each value of a channel the nearest of the sixteen levels that are kept.
const LEVELS: [u8; 256] = {
    let mut levels = [0; 256];
    let mut value = 0;
    while value < levels.len() {
        // At most 15.
        levels[value] = ((value + STEP as usize / 2) / STEP as usize) as u8;
        value += 1;
    }
    levels
};

/// The place of a colour among all that are kept.
fn slot(colour: [u8; 3]) -> usize {
    let [r, g, b] = colour.map(|c| usize::from(LEVELS[usize::from(c)]));
    r << 8 | g << 4 | b
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"10\">\
                        <rect width=\"15\" height=\"10\" fill=\"#069\"/>\
                        <text x=\"16\" y=\"8\" font-size=\"8\">Aq</text></svg>";

    fn info(bytes: &[u8]) -> png::Info<'static> {
        let reader = png::Decoder::new(std::io::Cursor::new(bytes.to_vec()));
        reader.read_info().expect("a PNG").info().clone()
    }

    #[test]
    fn a_word_is_as_wide_as_it_was_measured() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"99\"><text \
                   y=\"99\" font-size=\"100\" font-weight=\"bold\">AVATAR Top fi</text></svg>";
        let tree = tree(svg).expect("an SVG");
        let [usvg::Node::Text(text)] = tree.root().children() else { panic!("a text") };
        let measured = crate::letters::bold("AVATAR Top fi", 100);
        assert_eq!(text.bounding_box().width().ceil() as u32, measured);
    }

    #[test]
    fn a_picture_has_double_density_unless_it_is_very_large() {
        let wide = |units: u32| {
            let svg = format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{units}\" height=\"9\"/>"
            );
            let png = png(&svg).expect("drawn");
            // The width comes after signature, length and name of the first chunk.
            u32::from_be_bytes([png[16], png[17], png[18], png[19]])
        };
        assert_eq!((wide(400), wide(1501)), (800, 1501));
    }

    #[test]
    fn a_picture_has_a_palette_and_double_size() {
        let info = info(&png(FLAG).expect("drawn"));
        assert_eq!((info.width, info.height), (60, 20));
        let palette = info.palette.expect("a palette");
        let colours: Vec<&[u8]> = palette.chunks(3).collect();
        assert!(colours.contains(&&[0, 0x66, 0x99][..]), "flat colours stay as they are");
        assert!(colours.iter().any(|c| c[0] == c[1] && c[0] < 100), "letters show: {colours:?}");
    }

    #[test]
    fn named_colours_stay_as_they_are_however_many_others_come_before() {
        // Squares of a thousand colours, and a dot.
        let square = |n: u32| {
            let (x, y) = (n % 40, n / 40);
            let colour = format!("rgb({},{},{})", x * 6, y * 9, 255 - x * 6);
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\" fill=\"{colour}\"/>")
        };
        let squares: String = (0..1000).map(square).collect();
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"27\">{squares}<rect \
             y=\"25\" width=\"2\" height=\"2\" fill=\"#e44\"/></svg>"
        );
        let palette = info(&png(&svg).expect("drawn")).palette.expect("a palette");
        assert!(palette.chunks(3).any(|c| c == [0xee, 0x44, 0x44]), "the dot keeps its colour");
    }

    #[test]
    fn several_pictures_are_an_animation_and_of_the_size_of_the_largest() {
        let mut film = Film::new(1);
        let other = FLAG.replace("width=\"30\"", "width=\"31\"");
        for svg in [FLAG, &other, FLAG] {
            film.add(svg).expect("drawn");
        }
        let bytes = film.png(500).expect("written");
        let info = info(&bytes);
        assert_eq!(info.animation_control.map(|a| a.num_frames), Some(3));
        assert_eq!((info.width, info.height), (31, 10));
        // Each has its rows where they belong, and white beside them.
        let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        let mut reader = decoder.read_info().expect("a PNG");
        let palette = reader.info().palette.clone().expect("a palette");
        for _ in 0..3 {
            let mut numbers = vec![0; 310];
            reader.next_frame(&mut numbers).expect("a picture");
            let colour = |at: usize| &palette[usize::from(numbers[at]) * 3..][..3];
            assert_eq!(
                (colour(31 * 9), colour(31 * 9 + 30)),
                (&[0, 0x66, 0x99][..], &[255; 3][..])
            );
        }
    }

    #[test]
    fn each_pixel_has_the_number_of_its_colour() {
        let wide = 35;
        // Rows in pairs, of which one in three differs at its end.
        let row =
            |y: usize| (0..wide).map(move |x| [(x / 9) as u8 * 17, (y / 2) as u8 * 17, 0, 255]);
        let mut pixels: Vec<[u8; 4]> = (0..12).flat_map(row).collect();
        (0..12).step_by(3).for_each(|y| pixels[y * wide + wide - 1] = [255, 0, 0, 255]);
        let mut palette = Palette::default();
        let numbers = palette.numbers(&pixels);
        let back: Vec<[u8; 3]> = numbers.iter().map(|n| palette.colours[usize::from(*n)]).collect();
        let seen: Vec<[u8; 3]> = pixels.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect();
        assert_eq!(back, seen);
    }

    #[test]
    fn beyond_256_colours_the_nearest_serves() {
        let mut palette = Palette::default();
        let wheel = (0..16u8).flat_map(|r| (0..16u8).map(move |g| [r * 17, g * 17, 0]));
        wheel.for_each(|c| {
            palette.number(c);
        });
        assert_eq!(palette.colours.len(), 256);
        assert_eq!(palette.number([34, 51, 17]), palette.number([34, 51, 0]));
    }

    #[test]
    fn what_is_no_picture_is_told() {
        assert!(png("<svg").is_err());
    }
}
