//! Pages that were laid out, written as a file: tagged for programs that read it aloud, with an
//! outline.

use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::tagging::{Artifact, ArtifactType, ContentTag, Node, TagGroup, TagTree};
use krilla::text::TextDirection;

use super::layout::{Face, Item, Layout, MARGIN, Role};
use super::paper;
use crate::Picture;
use crate::raster::{PictureError, tree};
use tongue::{Catalogue, now, say};

/// Writes what was laid out; `name` is the title of the file and the head of its pages.
pub(super) fn write(
    name: &str,
    pictures: &[Vec<Picture>],
    layout: &Layout,
) -> Result<Vec<u8>, PictureError> {
    let all: Vec<&Picture> = pictures.iter().flatten().collect();
    let mut pdf = krilla::Document::new();
    let count = layout.pages.len();
    let mut pieces: Vec<Vec<Node>> = layout.parts.iter().map(|_| Vec::new()).collect();
    let nothing = || ContentTag::Artifact(Artifact::with_kind(ArtifactType::PaginationOther));
    for (number, items) in (1..).zip(&layout.pages) {
        let (wide, high) = layout.page;
        let settings = PageSettings::from_wh(wide, high)
            .ok_or_else(|| PictureError("paper has a size".to_owned()))?;
        let mut page = pdf.start_page_with(settings);
        let mut surface = page.surface();
        for (item, part) in items {
            let tag = part.map_or_else(nothing, |_| ContentTag::Other);
            let piece = surface.start_tagged(tag);
            if let Some(part) = part {
                pieces[*part].push(piece.into());
            }
            match item {
                Item::Text { x, y, face, size, grey, text } => {
                    surface.set_fill(Some(fill(*grey)));
                    let font = layout.fonts.drawn[*face as usize].clone();
                    let at = Point::from_xy(*x, *y);
                    surface.draw_text(at, font, *size, text, false, TextDirection::LeftToRight);
                }
                Item::Rule { x, y, width, grey } => rule(&mut surface, (*x, *y), *width, *grey),
                Item::Bar { x, y, parts, colour } => {
                    bar(&mut surface, (*x, *y), *parts, *colour);
                }
                Item::Picture { x, y, number, size } => {
                    let tree = tree(&all[*number].svg)?;
                    paper::print(&tree, &mut surface, (*x, *y), *size, layout.fonts)
                        .map_err(PictureError)?;
                }
            }
            surface.end_tagged();
        }
        let font = &layout.fonts.drawn[Face::Plain as usize];
        let foot = say!("page {number} of {count}");
        let right = wide - MARGIN - layout.fonts.width(Face::Plain, 8.0, &foot);
        surface.set_fill(Some(fill(90)));
        surface.start_tagged(nothing());
        let dir = TextDirection::LeftToRight;
        // The first page has its own title.
        if number > 1 {
            let top = Point::from_xy(MARGIN, MARGIN - 12.0);
            surface.draw_text(top, font.clone(), 8.0, name, false, dir);
        }
        let at = Point::from_xy(right, high - MARGIN + 18.0);
        surface.draw_text(at, font.clone(), 8.0, &foot, false, dir);
        surface.end_tagged();
        surface.finish();
        page.finish();
    }
    let mut outline = Outline::new();
    for (heading, page, y) in &layout.headings {
        let at = XyzDestination::new(*page, Point::from_xy(0.0, *y));
        outline.push_child(OutlineNode::new(heading.clone(), at));
    }
    pdf.set_outline(outline);
    pdf.set_tag_tree(tree_of(&layout.parts, pieces));
    pdf.set_metadata(Metadata::new().title(name.to_owned()).language(language()));
    pdf.finish().map_err(|e| PictureError(format!("{e:?}")))
}

/// The code of the language of the text.
fn language() -> String {
    now().map_or("en", Catalogue::code).to_owned()
}

/// The parts of a document with the pieces on its pages, each within the part around it.
fn tree_of(parts: &[(Role, Option<usize>)], pieces: Vec<Vec<Node>>) -> TagTree {
    let mut tree = TagTree::new().with_lang(Some(language()));
    let mut groups: Vec<TagGroup> =
        parts.iter().map(|(role, _)| TagGroup::new(role.tag())).collect();
    let mut top = Vec::new();
    // A part comes before those within it, so that the last is complete first.
    for ((_, around), own) in parts.iter().zip(pieces).rev() {
        let Some(mut group) = groups.pop() else { break };
        // The parts within it were added backwards.
        group.children.reverse();
        let inner = std::mem::replace(&mut group.children, own);
        group.children.extend(inner);
        match around.and_then(|n| groups.get_mut(n)) {
            Some(outer) => outer.push(group),
            None => top.push(group),
        }
    }
    top.into_iter().rev().for_each(|group| tree.push(group));
    tree
}

fn fill(grey: u8) -> Fill {
    Fill { paint: rgb::Color::new(grey, grey, grey).into(), ..Fill::default() }
}

fn bar(
    surface: &mut krilla::surface::Surface,
    (x, y): (f32, f32),
    (left, lost): (f32, f32),
    [r, g, b]: [u8; 3],
) {
    let colour = rgb::Color::new(r, g, b);
    let stroke = Stroke { paint: colour.into(), width: 0.5, ..Stroke::default() };
    for (from, wide, filled) in [(0.0, left, true), (left, lost, false)] {
        let mut path = PathBuilder::new();
        if let Some(part) = Rect::from_xywh(x + from, y, wide, 5.5) {
            path.push_rect(part);
        }
        surface.set_stroke(Some(stroke.clone()));
        surface.set_fill(filled.then(|| Fill { paint: colour.into(), ..Fill::default() }));
        if let Some(path) = path.finish() {
            surface.draw_path(&path);
        }
    }
    // Letters that follow have no rim.
    surface.set_stroke(None::<Stroke>);
}

fn rule(surface: &mut krilla::surface::Surface, (x, y): (f32, f32), width: f32, grey: u8) {
    let mut path = PathBuilder::new();
    if let Some(line) = Rect::from_xywh(x, y, width.max(1.0), 0.5) {
        path.push_rect(line);
    }
    surface.set_stroke(None::<Stroke>);
    surface.set_fill(Some(fill(grey)));
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}
