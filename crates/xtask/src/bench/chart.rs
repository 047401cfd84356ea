//! Charts of CPU time and memory over size, with logarithmic axes.

use std::fmt::Write;

use super::results::{Measurement, Results};
use super::shapes::SHAPES;
use super::{MAX_BYTES, MAX_SECONDS, TOOLS, Tool};

/// The size of a panel, and the number of panels in a row. Pages show charts about 700 pixels wide, so a wider one would
/// have small text.
const WIDTH: f64 = 190.0;
const HEIGHT: f64 = 150.0;
const COLUMNS: usize = 3;

const LEFT: f64 = 70.0;
const TOP: f64 = 46.0;
const GAP: f64 = 26.0;
const ROW: f64 = HEIGHT + 62.0;

/// The height of a line of the legend.
const LINE: f64 = 22.0;

const STYLE: &str = "text { font: 15px sans-serif; fill: #1f2328 } .title { font-weight: 600 } \
    .small { font-size: 13px; fill: #59636e } \
    .grid { stroke: #d1d9e0 } .frame, .background, path { fill: none } \
    .frame, .limit { stroke: #818b98 } .limit { stroke-dasharray: 4 3 } path { stroke-width: 2 } \
    .grid, .limit { stroke-width: 1 } \
    @media (prefers-color-scheme: dark) { text { fill: #f0f6fc } .small { fill: #9198a1 } .grid { stroke: #3d444d } \
    .background { fill: #0d1117 } }";

/// A logarithmic axis.
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    /// Returns the axis over whole powers of ten that contains the values.
    fn over(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return Self { from: 0.0, to: 1.0 };
        }
        let (from, to) = (low.max(1e-9).log10().floor(), high.max(1e-9).log10().ceil());
        Self { from, to: to.max(from + 1.0) }
    }

    /// Returns the position of a value, from 0 to 1.
    fn position(&self, value: f64) -> f64 {
        ((value.max(1e-9).log10() - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }

    fn decades(&self) -> impl Iterator<Item = f64> + use<> {
        let (from, to) = (self.from, self.to);
        let mut exponent = from;
        std::iter::from_fn(move || {
            let value = (exponent <= to).then(|| 10f64.powf(exponent));
            exponent += 1.0;
            value
        })
    }
}

/// What a row of panels shows.
struct Quantity {
    title: &'static str,
    value: fn(&Measurement) -> f64,
    limit: f64,
    unit: fn(f64) -> String,
}

const QUANTITIES: [Quantity; 2] = [
    Quantity {
        title: "CPU time",
        value: |measurement| measurement.cpu,
        limit: MAX_SECONDS,
        unit: |seconds| if seconds < 0.9 { format!("{:.0} ms", seconds * 1e3) } else { format!("{seconds:.0} s") },
    },
    Quantity {
        title: "Peak memory",
        value: |measurement| measurement.bytes,
        limit: MAX_BYTES,
        unit: |bytes| if bytes < 0.9e9 { format!("{:.0} MB", bytes / 1e6) } else { format!("{:.0} GB", bytes / 1e9) },
    },
];

/// Returns the chart for a version as SVG.
pub(crate) fn draw(results: &Results, version: &str) -> String {
    let shapes: Vec<&str> = SHAPES.iter().map(|shape| shape.name).collect();
    let tools = measured(results, version);
    let rows = shapes.len().div_ceil(COLUMNS);
    let top = TOP + tools.len().div_ceil(2) as f64 * LINE + 34.0;
    let width = LEFT + COLUMNS as f64 * (WIDTH + GAP);
    let height = top + (QUANTITIES.len() * rows) as f64 * ROW;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>CPU time and peak memory over the size of templates for TOSCA {version}</title>\n\
         <style>{STYLE}</style>\n<rect class=\"background\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"title\" x=\"20\" y=\"20\">Templates for TOSCA {version}</text>\n"
    );
    legend(&mut svg, &tools);
    for (index, quantity) in QUANTITIES.iter().enumerate() {
        let top = top + (index * rows) as f64 * ROW;
        let measured = results.rows.iter().filter(|row| row.version == version);
        let values = measured.filter_map(|row| row.outcome.as_ref().ok()).map(quantity.value);
        let axis = Axis::over(values.chain([quantity.limit]));
        for (column, shape) in shapes.iter().enumerate() {
            let (row, column) = (column / COLUMNS, column % COLUMNS);
            let (left, top) = (LEFT + column as f64 * (WIDTH + GAP), top + row as f64 * ROW);
            panel(
                &mut svg,
                &Panel { results, version, shape, quantity, axis: &axis, left, top, is_first: column == 0 },
            );
        }
    }
    svg + "</svg>\n"
}

/// Returns the tools with results for a version.
fn measured(results: &Results, version: &str) -> Vec<&'static Tool> {
    let is_measured =
        |name: &str| results.rows.iter().any(|row| row.version == version && row.tool == name && row.outcome.is_ok());
    TOOLS.iter().filter(|tool| is_measured(tool.name)).collect()
}

/// Draws a sample and the name of each tool.
fn legend(svg: &mut String, tools: &[&Tool]) {
    for (index, tool) in tools.iter().enumerate() {
        let (x, y) = (20.0 + (index % 2) as f64 * 350.0, TOP + (index / 2) as f64 * LINE);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.0} {:.0}h22\" stroke=\"{}\"{}/><text x=\"{:.0}\" y=\"{y:.0}\">{}</text>",
            y - 5.0,
            tool.color,
            dashes(tool.resolves),
            x + 28.0,
            tool.title
        );
    }
}

fn dashes(is_dashed: bool) -> &'static str {
    if is_dashed { " stroke-dasharray=\"6 3\"" } else { "" }
}

/// A diagram of one quantity for one shape.
struct Panel<'a> {
    results: &'a Results,
    version: &'a str,
    shape: &'a str,
    quantity: &'a Quantity,
    axis: &'a Axis,
    left: f64,
    top: f64,
    is_first: bool,
}

fn panel(svg: &mut String, panel: &Panel<'_>) {
    let Panel { results, version, shape, quantity, axis, left, top, is_first } = *panel;
    let (right, bottom) = (left + WIDTH, top + HEIGHT);
    let rows = || results.rows.iter().filter(|row| row.version == version && row.shape == shape);
    let sizes = Axis::over(rows().map(|row| row.size as f64));
    let x = |size: f64| left + sizes.position(size) * WIDTH;
    let y = |value: f64| bottom - axis.position(value) * HEIGHT;
    let _ = writeln!(
        svg,
        "<text class=\"title\" x=\"{left:.0}\" y=\"{:.0}\">{}: {shape}</text>",
        top - 9.0,
        quantity.title
    );
    for value in axis.decades() {
        let y = y(value);
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{left:.0} {y:.1}H{right:.0}\"/>");
        if is_first {
            let label = (quantity.unit)(value);
            let (x, y) = (left - 7.0, y + 4.5);
            let _ = writeln!(svg, "<text class=\"small\" x=\"{x:.0}\" y=\"{y:.1}\" text-anchor=\"end\">{label}</text>");
        }
    }
    for size in sizes.decades() {
        let (x, y) = (x(size), bottom + 18.0);
        // The last one would touch the first one of the next panel.
        let (text, anchor) = if x > right - 1.0 { (right + 6.0, "end") } else { (x, "middle") };
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{x:.1} {top:.0}V{bottom:.0}\"/>");
        let _ = writeln!(
            svg,
            "<text class=\"small\" x=\"{text:.1}\" y=\"{y:.0}\" text-anchor=\"{anchor}\">{}</text>",
            super::report::grouped(size as usize)
        );
    }
    let limit = y(quantity.limit);
    let _ = writeln!(svg, "<path class=\"limit\" d=\"M{left:.0} {limit:.1}H{right:.0}\"/>");
    if is_first {
        let (x, y) = (left + 4.0, limit + 15.0);
        let _ = writeln!(svg, "<text class=\"small\" x=\"{x:.0}\" y=\"{y:.1}\">limit</text>");
    }
    for tool in TOOLS {
        let of_tool: Vec<_> = rows().filter(|row| row.tool == tool.name).collect();
        let points = of_tool.iter().filter_map(|row| {
            let value = row.outcome.as_ref().ok().map(quantity.value)?;
            Some((x(row.size as f64), y(value)))
        });
        let points: Vec<(f64, f64)> = points.collect();
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        if line.len() > 1 {
            let _ =
                writeln!(svg, "<path d=\"M{}\" stroke=\"{}\"{}/>", line.join("L"), tool.color, dashes(tool.resolves));
        }
        for (x, y) in points {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{}\"/>", tool.color);
        }
    }
    let _ = writeln!(
        svg,
        "<rect class=\"frame\" x=\"{left:.0}\" y=\"{top:.0}\" width=\"{WIDTH:.0}\" height=\"{HEIGHT:.0}\"/>"
    );
}
