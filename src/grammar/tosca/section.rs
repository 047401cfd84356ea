//! The sections of names of TOSCA.

use crate::entity::{Section, SectionDescription};

macro_rules! sections {
    ($($constant:ident = $title:literal, exported: $exported:literal, shadows: $shadows:literal;)*) => {
        sections!(@number 0u8; $($constant $title)*);
        pub(super) static SECTIONS: &[SectionDescription] =
            &[$(SectionDescription { title: $title, exported: $exported, shadows: $shadows }),*];
    };
    (@number $number:expr; $constant:ident $title:literal $($rest:tt)*) => {
        #[doc = concat!("The names of each ", $title, ".")]
        pub const $constant: Section = Section($number);
        sections!(@number $number + 1; $($rest)*);
    };
    (@number $number:expr;) => {};
}

sections! {
    REPOSITORIES = "repository", exported: true, shadows: false;
    ARTIFACT_TYPES = "artifact type", exported: true, shadows: true;
    DATA_TYPES = "data type", exported: true, shadows: true;
    CAPABILITY_TYPES = "capability type", exported: true, shadows: true;
    INTERFACE_TYPES = "interface type", exported: true, shadows: true;
    RELATIONSHIP_TYPES = "relationship type", exported: true, shadows: true;
    NODE_TYPES = "node type", exported: true, shadows: true;
    GROUP_TYPES = "group type", exported: true, shadows: true;
    POLICY_TYPES = "policy type", exported: true, shadows: true;
    FUNCTIONS = "function", exported: true, shadows: true;
    SERVICE_FUNCTIONS = "function of the service template", exported: false, shadows: true;
    INPUTS = "input", exported: false, shadows: true;
    OUTPUTS = "output", exported: false, shadows: true;
    NODE_TEMPLATES = "node template", exported: false, shadows: true;
    RELATIONSHIP_TEMPLATES = "relationship template", exported: false, shadows: true;
    GROUPS = "group", exported: false, shadows: true;
    POLICIES = "policy", exported: false, shadows: true;
    WORKFLOWS = "workflow", exported: false, shadows: true;
}
