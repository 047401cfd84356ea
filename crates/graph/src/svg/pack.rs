//! Arranges the unconnected parts of a diagram next to and below each other.

/// The space between parts.
const GAP: f64 = 36.0;

/// The width that a diagram may have without being scaled down on a usual screen, and the maximum height, relative to
/// the width, up to which it is kept.
const PAGE: f64 = 1550.0;
const TALLEST: f64 = 2.5;

/// Returns the positions of rectangles with the given widths and heights, and the total size. Larger ones come first.
pub(super) fn pack(sizes: &[(f64, f64)]) -> (Vec<(f64, f64)>, (f64, f64)) {
    let area: f64 = sizes.iter().map(|(width, height)| (width + GAP) * (height + GAP)).sum();
    let widest = sizes.iter().map(|(width, _)| *width).fold(0.0, f64::max);
    let target = widest.max((1.7 * area).sqrt().min(PAGE.max((area / TALLEST).sqrt())));

    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|one, other| sizes[*other].1.total_cmp(&sizes[*one].1).then(one.cmp(other)));
    let mut places = vec![(0.0, 0.0); sizes.len()];
    let (mut x, mut y, mut height) = (0.0, 0.0, 0.0_f64);
    let mut size = (0.0_f64, 0.0_f64);
    for index in order {
        let (own_width, own_height) = sizes[index];
        if x > 0.0 && x + own_width > target {
            (x, y, height) = (0.0, y + height + GAP, 0.0);
        }
        places[index] = (x, y);
        size = (size.0.max(x + own_width), size.1.max(y + own_height));
        x += own_width + GAP;
        height = height.max(own_height);
    }
    (places, size)
}
