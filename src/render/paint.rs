//! A drawing on pixels: paths of one colour each, which is all that our pictures are made of.

use usvg::tiny_skia_path::{Path, PathSegment, Point};
use usvg::{Group, LineCap, LineJoin, Node, Paint, PaintOrder};
use vello_cpu::color::{AlphaColor, Srgb, palette::css::WHITE};
use vello_cpu::kurbo::{Affine, BezPath, Cap, Join, Rect, Stroke};
use vello_cpu::peniko::Fill;
use vello_cpu::{Pixmap, RenderContext, Resources};

/// Why something can't be drawn.
pub(super) type Fault = String;

/// How much of a pixel an edge without shades has to cover.
const CRISP: u8 = 128;

/// A tree on white paper, so many pixels to a unit.
///
/// # Errors
/// A sentence when it is larger than any picture of ours, or has something besides paths of one
/// colour.
pub(super) fn paint(tree: &usvg::Tree, scale: u32) -> Result<Pixmap, Fault> {
    let size = tree.size().to_int_size();
    let pixels = |side: u32| u16::try_from(side * scale);
    let (Ok(wide), Ok(high)) = (pixels(size.width()), pixels(size.height())) else {
        return Err(format!("{} by {} units are too many", size.width(), size.height()));
    };
    let mut canvas = RenderContext::new(wide, high);
    canvas.set_paint(WHITE);
    canvas.fill_rect(&Rect::new(0.0, 0.0, wide.into(), high.into()));
    group(&mut canvas, tree.root(), Affine::scale(scale.into()))?;
    canvas.flush();
    let mut pixmap = Pixmap::new(wide, high);
    canvas.render(&mut pixmap, &mut Resources::new());
    Ok(pixmap)
}

fn group(canvas: &mut RenderContext, group: &Group, around: Affine) -> Result<(), Fault> {
    if group.opacity().get() < 1.0 || group.mask().is_some() || !group.filters().is_empty() {
        return Err("a group is not drawn as it is".to_owned());
    }
    let at = around * affine(group.transform());
    if let Some(clip) = group.clip_path() {
        // The frame of a drawing within a drawing.
        let [Node::Path(frame)] = clip.root().children() else {
            return Err("a clip is no path".to_owned());
        };
        canvas.set_transform(at * affine(clip.transform()));
        canvas.push_clip_path(&bezier(frame.data()));
    }
    for node in group.children() {
        match node {
            Node::Group(inner) => self::group(canvas, inner, at)?,
            Node::Text(text) => self::group(canvas, text.flattened(), at)?,
            Node::Path(path) if path.is_visible() => self::path(canvas, path, at)?,
            Node::Path(_) => {}
            Node::Image(_) => return Err("a picture is within it".to_owned()),
        }
    }
    if group.clip_path().is_some() {
        canvas.pop_clip();
    }
    Ok(())
}

fn affine(t: usvg::Transform) -> Affine {
    Affine::new([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(f64::from))
}

fn path(canvas: &mut RenderContext, path: &usvg::Path, at: Affine) -> Result<(), Fault> {
    canvas.set_transform(at);
    let smooth = path.rendering_mode().use_shape_antialiasing();
    canvas.set_aliasing_threshold((!smooth).then_some(CRISP));
    let outline = bezier(path.data());
    let steps = match path.paint_order() {
        PaintOrder::FillAndStroke => [fill, stroke],
        PaintOrder::StrokeAndFill => [stroke, fill],
    };
    steps.iter().try_for_each(|step| step(canvas, path, &outline))
}

fn fill(canvas: &mut RenderContext, path: &usvg::Path, outline: &BezPath) -> Result<(), Fault> {
    let Some(fill) = path.fill() else { return Ok(()) };
    canvas.set_fill_rule(match fill.rule() {
        usvg::FillRule::NonZero => Fill::NonZero,
        usvg::FillRule::EvenOdd => Fill::EvenOdd,
    });
    canvas.set_paint(colour(fill.paint(), fill.opacity().get())?);
    canvas.fill_path(outline);
    Ok(())
}

fn stroke(canvas: &mut RenderContext, path: &usvg::Path, outline: &BezPath) -> Result<(), Fault> {
    let Some(stroke) = path.stroke() else { return Ok(()) };
    let join = match stroke.linejoin() {
        LineJoin::Round => Join::Round,
        LineJoin::Bevel => Join::Bevel,
        LineJoin::Miter | LineJoin::MiterClip => Join::Miter,
    };
    let cap = match stroke.linecap() {
        LineCap::Butt => Cap::Butt,
        LineCap::Round => Cap::Round,
        LineCap::Square => Cap::Square,
    };
    let pen = Stroke::new(stroke.width().get().into())
        .with_miter_limit(stroke.miterlimit().get().into())
        .with_join(join)
        .with_caps(cap);
    canvas.set_stroke(match stroke.dasharray() {
        Some(dashes) => {
            pen.with_dashes(stroke.dashoffset().into(), dashes.iter().map(|d| f64::from(*d)))
        }
        None => pen,
    });
    canvas.set_paint(colour(stroke.paint(), stroke.opacity().get())?);
    canvas.stroke_path(outline);
    Ok(())
}

fn colour(paint: &Paint, opacity: f32) -> Result<AlphaColor<Srgb>, Fault> {
    match paint {
        Paint::Color(c) => Ok(AlphaColor::from_rgb8(c.red, c.green, c.blue).with_alpha(opacity)),
        _ => Err("a paint is no colour".to_owned()),
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
