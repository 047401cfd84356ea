//! The style sheet.

use crate::Theme;

/// The shapes and fonts.
const SHAPES: &str = "\
text{font-family:'Helvetica Neue',Arial,'Segoe UI','DejaVu Sans',sans-serif;font-size:11px}
.name{font-size:13px;font-weight:700}.strong{font-weight:700}
.elsewhere{stroke-dasharray:5 4}.frame{fill-opacity:.07;stroke-dasharray:2 3}.host{fill-opacity:.1}
.ring{fill:none;stroke-width:1.5;stroke-dasharray:2.4 1.6}.patch{fill-opacity:.9}.line{fill:none;stroke-width:1.4}
.d1{stroke-dasharray:7 4}.d2{stroke-dasharray:2 3}.d3{stroke-dasharray:9 3 2 3}.d4{stroke-dasharray:14 5}
.d5{stroke-dasharray:5 2 1 2 1 2}.d6{stroke-dasharray:1 6}.mark{stroke-width:2}
";

/// The colors for light backgrounds.
const LIGHT: &str = "\
text{fill:#0f172a}.strong{fill:#475569}.pale{fill:#556377}
.ground{fill:#f8fafc}.card{fill:#fff;stroke:#94a3b8}.border{fill:none}.head{fill:#e2e8f0}
.frame,.host{fill:#64748b;stroke:#94a3b8}.dangling{fill:#b45309}.ring{stroke:#d97706}.optional{stroke:#94a3b8}
.patch{fill:#f8fafc}.error{fill:#dc2626}.warning{fill:#b45309}.with-error{stroke:#dc2626}.with-warning{stroke:#d97706}
.s0{stroke:#2563eb}.s1{stroke:#0f766e}.s2{stroke:#9333ea}.s3{stroke:#c2410c}.s4{stroke:#be185d}.s5{stroke:#4d7c0f}
.s6{stroke:#0369a1}.s7{stroke:#64748b}
.f0{fill:#2563eb}.f1{fill:#0f766e}.f2{fill:#9333ea}.f3{fill:#c2410c}.f4{fill:#be185d}.f5{fill:#4d7c0f}
.f6{fill:#0369a1}.f7{fill:#64748b}
";

/// The colors for dark backgrounds.
const DARK: &str = "\
text{fill:#e2e8f0}.strong{fill:#cbd5e1}.pale{fill:#a8b5c8}
.ground{fill:#0f172a}.card{fill:#1e293b;stroke:#64748b}.border{fill:none}.head{fill:#334155}
.frame,.host{fill:#94a3b8;stroke:#64748b}.dangling{fill:#fbbf24}.ring{stroke:#f59e0b}.optional{stroke:#64748b}
.patch{fill:#0f172a}.error{fill:#f87171}.warning{fill:#fbbf24}.with-error{stroke:#f87171}.with-warning{stroke:#f59e0b}
.s0{stroke:#60a5fa}.s1{stroke:#2dd4bf}.s2{stroke:#c084fc}.s3{stroke:#fb923c}.s4{stroke:#f472b6}.s5{stroke:#a3e635}
.s6{stroke:#38bdf8}.s7{stroke:#94a3b8}
.f0{fill:#60a5fa}.f1{fill:#2dd4bf}.f2{fill:#c084fc}.f3{fill:#fb923c}.f4{fill:#f472b6}.f5{fill:#a3e635}
.f6{fill:#38bdf8}.f7{fill:#94a3b8}
";

/// Returns the style sheet. Programs that don't support `@media` show the colors for light backgrounds, on a light
/// background.
pub(super) fn sheet(theme: Theme) -> String {
    match theme {
        Theme::Auto => format!("{SHAPES}{LIGHT}@media (prefers-color-scheme:dark){{\n{DARK}}}\n"),
        Theme::Light => format!("{SHAPES}{LIGHT}"),
        Theme::Dark => format!("{SHAPES}{DARK}"),
    }
}
