//! A drawing as a tree of paths of one colour each, and letters: all that our pictures are made of.
//! This code walks it, for pixels and for paper alike.

use usvg::tiny_skia_path::{Path, Transform};
use usvg::{Color, FillRule, Group, Node, Paint, PaintOrder, Stroke, Text};

/// Why something can't be drawn.
pub(crate) type Fault = String;

/// What an area or a line is drawn with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ink {
    pub(crate) colour: Color,
    /// 0 is transparent, 1 hides all behind it.
    pub(crate) opacity: f32,
    /// Whether edges are shaded.
    pub(crate) smooth: bool,
}

/// A surface to draw on.
pub(crate) trait Canvas: Sized {
    /// Moves what follows by this transform, and cuts it off at the frame if there is one, until
    /// [`Canvas::leave`].
    fn enter(&mut self, at: Transform, frame: Option<&Path>);

    /// Undoes the last [`Canvas::enter`].
    fn leave(&mut self, framed: bool);

    /// An area.
    fn fill(&mut self, area: &Path, rule: FillRule, ink: Ink);

    /// A line.
    fn stroke(&mut self, line: &Path, pen: &Stroke, ink: Ink);

    /// Letters.
    fn text(&mut self, text: &Text) -> Result<(), Fault> {
        group(self, text.flattened())
    }
}

/// Draws a tree.
///
/// # Errors
/// A sentence when it has something besides paths of one colour and letters.
pub(crate) fn draw(tree: &usvg::Tree, canvas: &mut impl Canvas) -> Result<(), Fault> {
    group(canvas, tree.root())
}

fn group(canvas: &mut impl Canvas, group: &Group) -> Result<(), Fault> {
    if group.opacity().get() < 1.0 || group.mask().is_some() || !group.filters().is_empty() {
        return Err("a group is not drawn as it is".to_owned());
    }
    let frame = group.clip_path().map(frame).transpose()?;
    canvas.enter(group.transform(), frame.as_ref());
    for node in group.children() {
        match node {
            Node::Group(inner) => self::group(canvas, inner)?,
            Node::Text(text) => canvas.text(text)?,
            Node::Path(path) if path.is_visible() => self::path(canvas, path)?,
            Node::Path(_) => {}
            Node::Image(_) => return Err("a picture is within it".to_owned()),
        }
    }
    canvas.leave(frame.is_some());
    Ok(())
}

/// The frame of a drawing within a drawing.
fn frame(clip: &usvg::ClipPath) -> Result<Path, Fault> {
    let [Node::Path(frame)] = clip.root().children() else {
        return Err("a clip is no path".to_owned());
    };
    let moved = frame.data().clone().transform(clip.transform());
    moved.ok_or_else(|| "a clip has no room".to_owned())
}

fn path(canvas: &mut impl Canvas, path: &usvg::Path) -> Result<(), Fault> {
    if path.paint_order() == PaintOrder::FillAndStroke {
        fill(canvas, path)?;
    }
    if let Some(pen) = path.stroke() {
        let ink = ink(pen.paint(), pen.opacity().get(), is_smooth(path))?;
        canvas.stroke(path.data(), pen, ink);
    }
    if path.paint_order() == PaintOrder::StrokeAndFill {
        fill(canvas, path)?;
    }
    Ok(())
}

fn fill(canvas: &mut impl Canvas, path: &usvg::Path) -> Result<(), Fault> {
    if let Some(fill) = path.fill() {
        let ink = ink(fill.paint(), fill.opacity().get(), is_smooth(path))?;
        canvas.fill(path.data(), fill.rule(), ink);
    }
    Ok(())
}

fn is_smooth(path: &usvg::Path) -> bool {
    path.rendering_mode().use_shape_antialiasing()
}

/// A paint that is one colour.
pub(crate) fn ink(paint: &Paint, opacity: f32, smooth: bool) -> Result<Ink, Fault> {
    match paint {
        Paint::Color(colour) => Ok(Ink { colour: *colour, opacity, smooth }),
        _ => Err("a paint is no colour".to_owned()),
    }
}
