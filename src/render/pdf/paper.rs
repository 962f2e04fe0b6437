//! A drawing on paper: areas and lines as they are, letters as text that can be searched.

use krilla::geom::{self, PathBuilder, Point};
use krilla::num::NormalizedF32;
use krilla::paint::{self, Fill, StrokeDash};
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use usvg::layout::{PositionedGlyph, Span};
use usvg::tiny_skia_path::{Path, PathSegment, Rect, Transform};
use usvg::{FillRule, LineCap, LineJoin, PaintOrder, Stroke, Text, fontdb};

use super::layout::{Face, Fonts};
use crate::drawing::{Canvas, Fault, Ink, draw, ink};

/// Draws a tree with its corner at `at` and in this size, both in points.
///
/// # Errors
/// A sentence when it has something besides paths of one colour and letters.
pub(super) fn print(
    tree: &usvg::Tree,
    surface: &mut Surface,
    at: (f32, f32),
    size: (f32, f32),
    fonts: &Fonts,
) -> Result<(), Fault> {
    let (wide, high) = (tree.size().width(), tree.size().height());
    let sheet = Rect::from_xywh(0.0, 0.0, wide, high).ok_or("a drawing has no room")?;
    let sheet = usvg::tiny_skia_path::PathBuilder::from_rect(sheet);
    let place = Transform::from_row(size.0 / wide, 0.0, 0.0, size.1 / high, at.0, at.1);
    let mut paper = Paper { surface, fonts, files: tree.fontdb() };
    paper.enter(place, Some(&sheet));
    draw(tree, &mut paper)?;
    paper.leave(true);
    Ok(())
}

/// A page that is drawn on.
struct Paper<'p, 's> {
    surface: &'p mut Surface<'s>,
    fonts: &'p Fonts,
    /// The fonts that the tree was made with.
    files: &'p fontdb::Database,
}

impl Paper<'_, '_> {
    fn font(&self, glyph: &PositionedGlyph) -> Font {
        let bold = |face: &fontdb::FaceInfo| face.weight >= fontdb::Weight::BOLD;
        let face = match self.files.face(glyph.font).is_some_and(bold) {
            true => Face::Bold,
            false => Face::Plain,
        };
        self.fonts.drawn[face as usize].clone()
    }

    fn glyph(&mut self, span: &Span, glyph: &PositionedGlyph) -> Result<(), Fault> {
        let font = self.font(glyph);
        // The transform includes the size of the letters, and so does what follows.
        let units = font.units_per_em() / span.font_size.get();
        let at = glyph.transform().pre_concat(Transform::from_scale(units, units));
        let fill = span.fill.as_ref().map(|f| ink(f.paint(), f.opacity().get(), true));
        let fill = fill.transpose()?.map(|ink| filled(FillRule::NonZero, ink));
        let pen = span.stroke.as_ref();
        let rim = pen.map(|s| ink(s.paint(), s.opacity().get(), true).map(|ink| stroked(s, ink)));
        let rim = rim.transpose()?;
        self.surface.push_transform(&transform(at));
        // A rim below letters is drawn separately, as lines, because letters are written once.
        if rim.is_some() && span.paint_order == PaintOrder::StrokeAndFill {
            self.letter(span, glyph, &font, (None, rim), true);
            self.letter(span, glyph, &font, (fill, None), false);
        } else {
            self.letter(span, glyph, &font, (fill, rim), false);
        }
        self.surface.pop();
        Ok(())
    }

    fn letter(
        &mut self,
        span: &Span,
        glyph: &PositionedGlyph,
        font: &Font,
        (fill, rim): (Option<Fill>, Option<paint::Stroke>),
        outlined: bool,
    ) {
        if fill.is_none() && rim.is_none() {
            return;
        }
        self.surface.set_fill(fill);
        self.surface.set_stroke(rim);
        let id = GlyphId::new(glyph.id.0.into());
        let one = KrillaGlyph::new(id, 0.0, 0.0, 0.0, 0.0, 0..glyph.text.len(), None);
        let (at, size) = (Point::from_xy(0.0, 0.0), span.font_size.get());
        self.surface.draw_glyphs(at, &[one], font.clone(), &glyph.text, size, outlined);
        self.surface.set_stroke(None);
    }
}

impl Canvas for Paper<'_, '_> {
    fn enter(&mut self, at: Transform, frame: Option<&Path>) {
        self.surface.push_transform(&transform(at));
        match frame.map(outline) {
            Some(Some(frame)) => {
                self.surface.push_clip_path(&frame, &paint::FillRule::NonZero);
            }
            // Each frame is left once.
            Some(None) => self.surface.push_transform(&geom::Transform::identity()),
            None => {}
        }
    }

    fn leave(&mut self, framed: bool) {
        if framed {
            self.surface.pop();
        }
        self.surface.pop();
    }

    fn fill(&mut self, area: &Path, rule: FillRule, ink: Ink) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(filled(rule, ink)));
        if let Some(area) = outline(area) {
            self.surface.draw_path(&area);
        }
    }

    fn stroke(&mut self, line: &Path, pen: &Stroke, ink: Ink) {
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(stroked(pen, ink)));
        if let Some(line) = outline(line) {
            self.surface.draw_path(&line);
        }
        self.surface.set_stroke(None);
    }

    fn text(&mut self, text: &Text) -> Result<(), Fault> {
        for span in text.layouted().iter().filter(|span| span.visible) {
            for glyph in &span.positioned_glyphs {
                self.glyph(span, glyph)?;
            }
        }
        Ok(())
    }
}

fn filled(rule: FillRule, ink: Ink) -> Fill {
    let rule = match rule {
        FillRule::NonZero => paint::FillRule::NonZero,
        FillRule::EvenOdd => paint::FillRule::EvenOdd,
    };
    Fill { paint: colour(ink), opacity: opacity(ink), rule }
}

fn stroked(pen: &Stroke, ink: Ink) -> paint::Stroke {
    paint::Stroke {
        paint: colour(ink),
        width: pen.width().get(),
        miter_limit: pen.miterlimit().get(),
        line_cap: match pen.linecap() {
            LineCap::Butt => paint::LineCap::Butt,
            LineCap::Round => paint::LineCap::Round,
            LineCap::Square => paint::LineCap::Square,
        },
        line_join: match pen.linejoin() {
            LineJoin::Miter | LineJoin::MiterClip => paint::LineJoin::Miter,
            LineJoin::Round => paint::LineJoin::Round,
            LineJoin::Bevel => paint::LineJoin::Bevel,
        },
        opacity: opacity(ink),
        dash: pen
            .dasharray()
            .map(|array| StrokeDash { offset: pen.dashoffset(), array: array.to_vec() }),
    }
}

fn colour(ink: Ink) -> paint::Paint {
    krilla::color::rgb::Color::new(ink.colour.red, ink.colour.green, ink.colour.blue).into()
}

fn opacity(ink: Ink) -> NormalizedF32 {
    NormalizedF32::new(ink.opacity).unwrap_or(NormalizedF32::ONE)
}

fn transform(t: Transform) -> geom::Transform {
    geom::Transform::from_row(t.sx, t.ky, t.kx, t.sy, t.tx, t.ty)
}

fn outline(path: &Path) -> Option<geom::Path> {
    let mut outline = PathBuilder::new();
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) => outline.move_to(p.x, p.y),
            PathSegment::LineTo(p) => outline.line_to(p.x, p.y),
            PathSegment::QuadTo(a, p) => outline.quad_to(a.x, a.y, p.x, p.y),
            PathSegment::CubicTo(a, b, p) => outline.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y),
            PathSegment::Close => outline.close(),
        }
    }
    outline.finish()
}
