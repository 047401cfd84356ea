//! Packages in several versions: which version a class descends from, and which objects contracts accept.

use std::rc::Rc;

use serde_json::{Value as Json, json};
use tosca_parse_murano::{Access, Arguments, PackageSource, Runtime, Version, category};
use tosca_parse_yaql::{Error, Value};

fn package(name: &str, version: &str, requires: &[(&str, &str)], text: &str) -> PackageSource {
    let requires: Vec<_> = requires.iter().map(|(name, range)| ((*name).to_owned(), (*range).to_owned())).collect();
    let text = format!("Namespaces: {{ =: {name}, base: base, left: left, right: right }}\n{text}");
    PackageSource::from_text(name, "1.4", &requires, &text).unwrap().with_version(Version::parse(version).unwrap())
}

/// Returns the package `base` in a version. The methods of its class return that version.
fn base(version: &str) -> PackageSource {
    let text = format!(
        "Name: Root
Properties:
  mark: {{ Contract: $.string(), Default: '{version}' }}
  count: {{ Contract: $.int(), Usage: Static, Default: 0 }}
Methods:
  version: {{ Body: {{ Return: '{version}' }} }}
"
    );
    package("base", version, &[], &text)
}

/// Returns a package that requires `base` in a range of versions. Its class extends the one of `base`.
fn side(name: &str, range: &str) -> PackageSource {
    let text = format!(
        "Name: Side
Extends: base:Root
Methods:
  seen:
    Body:
      - Return:
          - $.version()
          - cast($this, base:Root).version()
          - $this is base:Root
          - $.{name}Taken($this)
          - super($this, $.version())
  {name}Taken:
    Arguments: [ {{ object: {{ Contract: $.class(base:Root).notNull() }} }} ]
    Body: {{ Return: $object.mark }}
"
    );
    package(name, "0.0.0", &[("base", range)], &text)
}

/// Returns a runtime with a class that extends two others, whose packages require different versions of `base`.
fn diamond(left: &str, right: &str) -> Rc<Runtime> {
    let text = "Name: App
Extends: [ left:Side, right:Side ]
Methods:
  both:
    Body:
      Return:
        - cast($this, left:Side).seen()
        - cast($this, right:Side).seen()
  one: { Body: { Return: $.version() } }
";
    let packages = [base("1.0.0"), base("1.1.0"), base("2.0.0"), side("left", left), side("right", right)];
    let app = package("app", "0.0.0", &[("left", "0"), ("right", "0")], text);
    packages.into_iter().chain([app]).fold(Runtime::builder(), tosca_parse_murano::Builder::package).build().unwrap()
}

fn call(runtime: &Rc<Runtime>, method: &str) -> Result<Json, Error> {
    let model = json!({ "?": { "type": "app.App", "id": "a" } });
    runtime.load_object(&Value::from(&model))?;
    let value = runtime.call_object("a", method, Arguments::default(), Access::Session)?;
    Ok(serde_json::to_value(value).unwrap())
}

#[test]
fn a_lineage_has_one_version_if_all_packages_allow_it() {
    for (left, right, version) in
        [("1.0", "1", "1.0.0"), ("1", "1.0", "1.0.0"), ("1", "1", "1.1.0"), (">=1", "1", "1.1.0")]
    {
        let runtime = diamond(left, right);
        let seen = json!([version, version, true, version, [version]]);
        assert_eq!(call(&runtime, "both").unwrap(), json!([seen, seen]), "{left}, {right}");
        assert_eq!(call(&runtime, "one").unwrap(), version, "{left}, {right}");
        let name = tosca_parse_murano::TypeName::parse("app.App").unwrap();
        let ancestors = runtime.find_type(&name).unwrap();
        let names: Vec<_> =
            ancestors.ancestors().iter().map(|class| format!("{} {}", class.name, class.origin.version)).collect();
        let root = format!("base.Root {version}");
        assert_eq!(names, ["left.Side 0.0.0", "right.Side 0.0.0", &root, "io.murano.Object 0.0.0"]);
    }
}

#[test]
fn versions_that_no_package_unifies_are_different_classes() {
    let runtime = diamond("1", "2");
    // Both versions have a property with the same name, so no object can be created.
    assert_eq!(category(&call(&runtime, "one").unwrap_err()), "AmbiguousProperty");
}

/// A contract accepts objects of the versions that the package requires, or that the contract names.
#[test]
fn contracts_take_versions_that_are_required() {
    let text = "Name: Holder
Properties:
  any: { Contract: $.class(base:Root) }
  second:
    Contract: $.class(base:Root, null, '2')
";
    let packages = [base("1.0.0"), base("1.1.0"), base("2.0.0"), package("holder", "0.0.0", &[("base", "1")], text)];
    let runtime = packages.into_iter().fold(Runtime::builder(), tosca_parse_murano::Builder::package).build().unwrap();
    let load = |property: &str, class: &str| {
        let inner = json!({ "?": { "type": class, "id": "b" } });
        let model = json!({ "?": { "type": "holder.Holder", "id": "a" }, property: inner });
        runtime.load_object(&Value::from(&model)).map(|_| ()).map_err(|error| category(&error).to_owned())
    };
    let refused = Err("ContractViolation".to_owned());
    for (property, class, expected) in [
        ("any", "base.Root/1.0.0", &Ok(())),
        ("any", "base.Root/1.1.0", &Ok(())),
        ("any", "base.Root/2.0.0", &refused),
        ("second", "base.Root/2.0.0", &Ok(())),
        ("second", "base.Root/1.1.0", &refused),
    ] {
        assert_eq!(load(property, class), *expected, "{property}: {class}");
    }
}
