//! Diagrams as PNG and PDF, with a font of the command, so that they are the same on every system.

use std::sync::Arc;

use resvg::usvg::{self, fontdb};
use resvg::{tiny_skia, usvg::Transform};
use svg2pdf::{ConversionOptions, PageOptions};
use tosca_parse::graph::{Graph, Theme};

/// The fonts: Noto Sans, and symbols that it lacks.
const FONTS: [&[u8]; 3] = [
    include_bytes!("fonts/NotoSans-Regular.ttf"),
    include_bytes!("fonts/NotoSans-Bold.ttf"),
    include_bytes!("fonts/NotoSansMath-Regular.ttf"),
];

/// The number of pixels of an image per pixel of the diagram, and the maximum number of pixels of an image. Larger
/// diagrams are scaled down. Encoding takes eight bytes per pixel.
const SCALE: f32 = 2.0;
const MAX_PIXELS: f32 = 16_000_000.0;

/// Draws a graph as PNG.
pub(super) fn png(graph: &Graph) -> Result<Vec<u8>, String> {
    let tree = tree(graph)?;
    let size = tree.size();
    let scale = SCALE.min((MAX_PIXELS / (size.width() * size.height())).sqrt());
    let pixels = size.to_int_size().scale_by(scale).ok_or("the diagram is empty")?;
    let mut image = tiny_skia::Pixmap::new(pixels.width(), pixels.height()).ok_or("the diagram is too large")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut image.as_mut());
    image.encode_png().map_err(|error| error.to_string())
}

/// Draws a graph as PDF.
pub(super) fn pdf(graph: &Graph) -> Result<Vec<u8>, String> {
    svg2pdf::to_pdf(&tree(graph)?, ConversionOptions::default(), PageOptions::default())
        .map_err(|error| error.to_string())
}

/// Lays out a graph and its text.
fn tree(graph: &Graph) -> Result<usvg::Tree, String> {
    // Images have no page to follow.
    let theme = if graph.theme == Theme::Auto { Theme::Light } else { graph.theme };
    let diagram = Graph { theme, ..graph.clone() }.svg().map_err(|error| error.to_string())?;
    let mut fonts = fontdb::Database::new();
    FONTS.iter().for_each(|font| fonts.load_font_data(font.to_vec()));
    fonts.set_sans_serif_family("Noto Sans");
    let options =
        usvg::Options { font_family: "Noto Sans".to_owned(), fontdb: Arc::new(fonts), ..usvg::Options::default() };
    usvg::Tree::from_str(&diagram, &options).map_err(|error| error.to_string())
}
