//! A drawing on pixels.

use usvg::tiny_skia_path::{Path, PathSegment, Point, Transform};
use usvg::{FillRule, LineCap, LineJoin};
use vello_cpu::color::{AlphaColor, Srgb, palette::css::WHITE};
use vello_cpu::kurbo::{Affine, BezPath, Cap, Join, Rect, Stroke};
use vello_cpu::peniko::Fill;
use vello_cpu::{Pixmap, RenderContext, Resources};

use super::drawing::{Canvas, Fault, Ink, draw};

/// How much of a pixel an edge without shades has to cover.
const CRISP: u8 = 128;

/// A tree on white paper, `scale` pixels to a unit.
///
/// # Errors
/// A sentence when it is larger than any picture of ours, or has something besides paths of one
/// colour and letters.
pub(super) fn paint(tree: &usvg::Tree, scale: u32) -> Result<Pixmap, Fault> {
    let size = tree.size().to_int_size();
    let pixels = |side: u32| u16::try_from(side * scale);
    let (Ok(wide), Ok(high)) = (pixels(size.width()), pixels(size.height())) else {
        return Err(format!("{} by {} units are too many", size.width(), size.height()));
    };
    let mut sheet = RenderContext::new(wide, high);
    sheet.set_paint(WHITE);
    sheet.fill_rect(&Rect::new(0.0, 0.0, wide.into(), high.into()));
    let mut pixels = Pixels { sheet, at: Affine::scale(scale.into()), around: Vec::new() };
    draw(tree, &mut pixels)?;
    let mut sheet = pixels.sheet;
    sheet.flush();
    let mut pixmap = Pixmap::new(wide, high);
    sheet.render(&mut pixmap, &mut Resources::new());
    Ok(pixmap)
}

/// A sheet of pixels, and the place on it that is drawn on.
struct Pixels {
    sheet: RenderContext,
    at: Affine,
    /// The place that was drawn on before each group that is open.
    around: Vec<Affine>,
}

impl Pixels {
    /// Sets the ink.
    fn dip(&mut self, ink: Ink) {
        self.sheet.set_transform(self.at);
        self.sheet.set_aliasing_threshold((!ink.smooth).then_some(CRISP));
        let colour: AlphaColor<Srgb> =
            AlphaColor::from_rgb8(ink.colour.red, ink.colour.green, ink.colour.blue);
        self.sheet.set_paint(colour.with_alpha(ink.opacity));
    }
}

impl Canvas for Pixels {
    fn enter(&mut self, at: Transform, frame: Option<&Path>) {
        self.around.push(self.at);
        self.at *= Affine::new([at.sx, at.ky, at.kx, at.sy, at.tx, at.ty].map(f64::from));
        if let Some(frame) = frame {
            self.sheet.set_transform(self.at);
            self.sheet.push_clip_path(&bezier(frame));
        }
    }

    fn leave(&mut self, framed: bool) {
        if framed {
            self.sheet.pop_clip();
        }
        if let Some(at) = self.around.pop() {
            self.at = at;
        }
    }

    fn fill(&mut self, area: &Path, rule: FillRule, ink: Ink) {
        self.dip(ink);
        self.sheet.set_fill_rule(match rule {
            FillRule::NonZero => Fill::NonZero,
            FillRule::EvenOdd => Fill::EvenOdd,
        });
        self.sheet.fill_path(&bezier(area));
    }

    fn stroke(&mut self, line: &Path, pen: &usvg::Stroke, ink: Ink) {
        self.dip(ink);
        let join = match pen.linejoin() {
            LineJoin::Round => Join::Round,
            LineJoin::Bevel => Join::Bevel,
            LineJoin::Miter | LineJoin::MiterClip => Join::Miter,
        };
        let cap = match pen.linecap() {
            LineCap::Butt => Cap::Butt,
            LineCap::Round => Cap::Round,
            LineCap::Square => Cap::Square,
        };
        let stroke = Stroke::new(pen.width().get().into())
            .with_miter_limit(pen.miterlimit().get().into())
            .with_join(join)
            .with_caps(cap);
        self.sheet.set_stroke(match pen.dasharray() {
            Some(dashes) => {
                let dashes = dashes.iter().map(|d| f64::from(*d));
                stroke.with_dashes(pen.dashoffset().into(), dashes)
            }
            None => stroke,
        });
        self.sheet.stroke_path(&bezier(line));
    }
}

fn bezier(path: &Path) -> BezPath {
    let at = |p: Point| (f64::from(p.x), f64::from(p.y));
    let mut outline = BezPath::new();
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) => outline.move_to(at(p)),
            PathSegment::LineTo(p) => outline.line_to(at(p)),
            PathSegment::QuadTo(a, p) => outline.quad_to(at(a), at(p)),
            PathSegment::CubicTo(a, b, p) => outline.curve_to(at(a), at(b), at(p)),
            PathSegment::Close => outline.close_path(),
        }
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::tree;

    /// The colour of a pixel of a drawing of ten by ten units.
    fn at(body: &str, (x, y): (usize, usize)) -> [u8; 3] {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\">{body}</svg>"
        );
        let drawn = paint(&tree(&svg).expect("an SVG"), 1).expect("it can be drawn");
        let pixel = drawn.data()[y * 10 + x];
        [pixel.r, pixel.g, pixel.b]
    }

    #[test]
    fn fills_strokes_dashes_and_groups_stand_where_they_belong() {
        let red = [255, 0, 0];
        let rect = "<rect x=\"1\" y=\"1\" width=\"4\" height=\"4\" fill=\"#f00\"/>";
        assert_eq!((at(rect, (2, 2)), at(rect, (6, 6))), (red, [255; 3]));
        let moved = format!("<g transform=\"translate(4 4)\">{rect}</g>");
        assert_eq!((at(&moved, (6, 6)), at(&moved, (2, 2))), (red, [255; 3]));
        let dashed =
            "<path d=\"M0 5h10\" stroke=\"#f00\" stroke-width=\"2\" stroke-dasharray=\"3 4\"/>";
        assert_eq!(
            (at(dashed, (1, 5)), at(dashed, (5, 5)), at(dashed, (8, 5))),
            (red, [255; 3], red)
        );
        let half = "<rect width=\"10\" height=\"10\" fill=\"#f00\" fill-opacity=\"0.5\"/>";
        assert!(matches!(at(half, (5, 5)), [255, 126..=129, 126..=129]));
        let hole = "<path d=\"M0 0h9v9h-9zM3 3h3v3h-3z\" fill=\"#f00\" fill-rule=\"evenodd\"/>";
        assert_eq!((at(hole, (1, 1)), at(hole, (4, 4))), (red, [255; 3]));
        let over = "<path d=\"M0 5h10\" stroke=\"#f00\" stroke-width=\"4\"/><rect width=\"10\" \
                    height=\"10\" fill=\"#00f\" stroke=\"#0f0\" stroke-width=\"20\" \
                    paint-order=\"stroke\"/>";
        assert_eq!(at(over, (5, 5)), [0, 0, 255], "what is filled last lies above");
    }

    #[test]
    fn a_drawing_within_a_drawing_ends_at_its_frame() {
        let inner = "<svg x=\"2\" y=\"2\" width=\"4\" height=\"4\"><rect width=\"9\" \
                     height=\"9\" fill=\"#f00\"/></svg><rect y=\"9\" width=\"9\" height=\"1\" \
                     fill=\"#00f\"/>";
        assert_eq!([at(inner, (3, 3)), at(inner, (7, 7))], [[255, 0, 0], [255; 3]]);
        assert_eq!(at(inner, (8, 9)), [0, 0, 255], "what follows is whole");
    }

    #[test]
    fn letters_stand_where_they_are_written() {
        let text = |x: u32| {
            format!("<text x=\"{x}\" y=\"9\" font-size=\"9\" font-weight=\"bold\">I</text>")
        };
        let dark =
            |x: u32| -> Vec<usize> { (0..10).filter(|c| at(&text(x), (*c, 6))[0] < 128).collect() };
        let (left, right) = (dark(0), dark(4));
        assert!(!left.is_empty());
        assert_eq!(left.iter().map(|c| c + 4).collect::<Vec<_>>(), right);
    }

    #[test]
    fn what_is_no_path_of_one_colour_is_told() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><rect \
                   width=\"9\" height=\"9\" opacity=\"0.5\"/></svg>";
        assert!(paint(&tree(svg).expect("an SVG"), 1).is_err());
        let wide = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"70000\" height=\"9\"/>";
        assert!(paint(&tree(wide).expect("an SVG"), 1).is_err());
    }
}
