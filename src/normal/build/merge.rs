//! Relationships of a derived type. If a requirement definition refines the type that it names, the refinements apply
//! to derived types too.
//!
//! So there are three descriptions of a relationship: from the type that the definition names (`base`), from the
//! definition (`refined`), and from the derived type (`own`). The differences between `refined` and `base` are applied
//! to `own`.

use std::sync::Arc;

use super::super::{Interface, Operation, OverlayMap, Property, Relationship, Schema, State};

/// Applies the refinements of a requirement definition to a relationship of a derived type.
pub(super) fn lay_over(own: &mut Relationship, base: &Relationship, refined: &Relationship) {
    members(&mut own.properties, &base.properties, &refined.properties, property);
    members(&mut own.attributes, &base.attributes, &refined.attributes, property);
    members(&mut own.interfaces, &base.interfaces, &refined.interfaces, interface);
    replace(&mut own.description, &base.description, &refined.description);
    replace(&mut own.metadata, &base.metadata, &refined.metadata);
}

/// Applies refinements to named members. `both` is called for members that both the derived type and the definition
/// change.
fn members<T: Clone + Default + PartialEq>(
    own: &mut OverlayMap<T>,
    base: &OverlayMap<T>,
    refined: &OverlayMap<T>,
    both: impl Fn(&mut T, &T, &T),
) {
    for (name, refined) in refined {
        let base = base.get(name);
        if Some(refined) == base {
            continue;
        }
        match own.get_mut(name) {
            Some(own) if Some(&*own) != base => {
                let nothing = Arc::default();
                both(Arc::make_mut(own), base.unwrap_or(&nothing), refined);
            }
            Some(own) => own.clone_from(refined),
            None => {
                own.insert(name.clone(), refined.clone());
            }
        }
    }
}

fn replace<T: Clone + PartialEq>(own: &mut T, base: &T, refined: &T) {
    if refined != base {
        own.clone_from(refined);
    }
}

fn property(own: &mut Property, base: &Property, refined: &Property) {
    let is_said = (&refined.value, refined.state) != (&base.value, base.state);
    // A value that the derived type fixes can't be changed.
    if is_said && own.state != State::Fixed {
        own.value.clone_from(&refined.value);
        own.scalars.clone_from(&refined.scalars);
        own.source.clone_from(&refined.source);
        own.state = refined.state;
    }
    replace(&mut own.mapping, &base.mapping, &refined.mapping);
    if refined.schema != base.schema {
        schema(Arc::make_mut(&mut own.schema), &base.schema, &refined.schema);
    }
}

/// Merges schemas so that values must satisfy both. The result has the type from the derived type's schema, because
/// that type is narrower.
fn schema(own: &mut Schema, base: &Schema, refined: &Schema) {
    own.required |= refined.required;
    replace(&mut own.description, &base.description, &refined.description);
    let further = refined.validation.iter().filter(|clause| !own.validation.contains(clause)).cloned();
    let further: Vec<_> = further.collect();
    own.validation.extend(further);
    if own.type_name == base.type_name {
        own.type_name.clone_from(&refined.type_name);
        own.type_origin.clone_from(&refined.type_origin);
        own.key_schema.clone_from(&refined.key_schema);
        own.entry_schema.clone_from(&refined.entry_schema);
    }
}

fn interface(own: &mut Interface, base: &Interface, refined: &Interface) {
    replace(&mut own.description, &base.description, &refined.description);
    members(&mut own.inputs, &base.inputs, &refined.inputs, property);
    members(&mut own.operations, &base.operations, &refined.operations, operation);
    members(&mut own.notifications, &base.notifications, &refined.notifications, operation);
}

fn operation(own: &mut Operation, base: &Operation, refined: &Operation) {
    replace(&mut own.description, &base.description, &refined.description);
    replace(&mut own.implementation, &base.implementation, &refined.implementation);
    members(&mut own.inputs, &base.inputs, &refined.inputs, property);
    members(&mut own.outputs, &base.outputs, &refined.outputs, property);
}
