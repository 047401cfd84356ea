//! Types, and the lists of data types and functions.

use std::sync::Arc;

use bigdecimal::One as _;
use rustc_hash::FxHashMap;

use super::super::{DataType, Function, Name, OverlayMap, Property, Signature, TypeName, Types, Units};
use super::Mentioned;
use super::builder::{Builder, Share, kind, plain};
use super::interface::ArtifactScope;
use crate::data::{DataKind, ScalarTable, Typed, scalar_unit};
use crate::entity::{AnyId, Entity, Id, Located, Members, References, field_of};
use crate::grammar::VersionText;
use crate::grammar::definition::{FunctionDefinition, PropertyDefinition, SchemaDefinition, Signature as SignatureOf};
use crate::grammar::section::FUNCTIONS;
use crate::grammar::types::DataType as TypeOfData;
use crate::member_limit::is_bare_data_type;

impl Builder<'_> {
    /// Returns a type and its ancestors.
    pub(super) fn types(&self, id: AnyId) -> Types {
        self.types.get(id, || self.context.program.ancestry(id).map(|id| self.type_name(id)).collect())
    }

    pub(super) fn type_name(&self, id: AnyId) -> TypeName {
        TypeName { name: self.name_of(id), origin: self.origin(id), version: self.type_version(id) }
    }

    fn type_version(&self, id: AnyId) -> Option<Name> {
        let version = field_of::<Option<Box<Located<VersionText>>>>(self.context.program.raw(id)?, "version")?;
        Some(version.as_ref()?.value.0.as_str().into())
    }

    /// Returns the qualifier of the name of a type or function.
    pub(super) fn origin(&self, id: AnyId) -> Option<Name> {
        self.origins[self.context.program.index(id.unit)?].clone()
    }

    /// Returns the referenced types.
    pub(super) fn listed<T>(&self, references: &References<T>) -> Vec<TypeName> {
        let targets = references.iter().filter_map(|reference| self.context.any_target(*reference));
        targets.map(|id| self.type_name(id)).collect()
    }

    /// Returns the referenced types of one kind.
    pub(super) fn listed_as<T: Entity>(&self, references: &References<()>) -> Vec<TypeName> {
        let targets = references.iter().filter_map(|reference| self.context.any_target(*reference));
        targets.filter(|id| id.cast::<T>().is_some()).map(|id| self.type_name(id)).collect()
    }

    /// Returns the functions and data types that the rest of the model mentions, directly or indirectly.
    pub(in crate::normal) fn mentioned(&self) -> Mentioned {
        let mut refinements: FxHashMap<AnyId, Id<FunctionDefinition>> = FxHashMap::default();
        for (name, id) in self.template.functions.iter() {
            if let Some(refined) = self.context.resolve(id.any(), FUNCTIONS, name).id() {
                refinements.insert(refined, id);
            }
        }
        let (mut functions, mut data_types) = (FxHashMap::default(), FxHashMap::default());
        // The signatures of functions name data types, and data types name others and call functions.
        loop {
            let new = (self.functions.after(functions.len()), self.data_types.after(data_types.len()));
            if new.0.is_empty() && new.1.is_empty() {
                break;
            }
            functions.extend(new.0.into_iter().map(|id| (id, self.function(id, refinements.get(&id).copied()))));
            data_types.extend(new.1.into_iter().map(|id| (id, id.cast().and_then(|id| self.data_type_of(id)))));
        }
        Mentioned { functions: self.in_order(functions), data_types: self.in_order(data_types) }
    }

    /// Returns the descriptions of entities in source order, unit by unit.
    fn in_order<T>(&self, mut made: FxHashMap<AnyId, Option<T>>) -> Vec<T> {
        let mut ids: Vec<AnyId> = made.keys().copied().collect();
        ids.sort_unstable_by_key(|id| (self.context.program.index(id.unit), id.index));
        ids.into_iter().filter_map(|id| made.remove(&id)?).collect()
    }

    pub(super) fn data_type(&self, id: Id<TypeOfData>) -> Option<DataType> {
        let is_bare = is_bare_data_type(&self.context, self.first_data_type_over_limit, id.any());
        let share = if is_bare { Share::Nothing } else { Share::All };
        let data_type = self.template(id, share)?;
        let inline = |id: Option<Id<SchemaDefinition>>| id.map(|id| self.inline_schema(id));
        let data_kind = DataKind::of(&self.context, id);
        Some(DataType {
            types: self.types_for(id.any(), share),
            kind: kind(data_kind),
            validation: self.validation(&data_type.validation, Some(data_kind)),
            properties: self.described(&data_type.properties),
            key_schema: inline(data_type.key_schema),
            entry_schema: inline(data_type.entry_schema),
            units: self.units(id).map(|units| (*units).clone()),
        })
    }

    /// Returns the units of a scalar type.
    pub(super) fn units(&self, id: Id<TypeOfData>) -> Option<Arc<Units>> {
        self.units.get(id, || self.make_units(id).map(Arc::new))
    }

    fn make_units(&self, id: Id<TypeOfData>) -> Option<Units> {
        match DataKind::of(&self.context, id) {
            DataKind::Scalar => {}
            DataKind::ScalarUnit => {
                let units = scalar_unit::units(&self.context, id)?;
                let (canonical, _) = units.iter().find(|(_, multiplier)| *multiplier == "1")?;
                let multipliers = units.iter().map(|(name, multiplier)| ((*name).into(), (*multiplier).to_owned()));
                return Some(Units { canonical: (*canonical).into(), multipliers: multipliers.collect() });
            }
            _ => return None,
        }
        let data_type = self.get(id)?;
        let table = ScalarTable::of(&self.context, data_type);
        let multipliers: Vec<_> = table.multipliers().collect();
        let canonical = self.text(data_type.canonical_unit).or_else(|| {
            let (name, _) = multipliers.iter().find(|(_, multiplier)| multiplier.is_one())?;
            Some((**name).into())
        });
        let multipliers = multipliers.iter().map(|(name, multiplier)| ((**name).into(), plain(multiplier)));
        Some(Units { canonical: canonical?, multipliers: multipliers.collect() })
    }

    fn function(&self, id: AnyId, refinement: Option<Id<FunctionDefinition>>) -> Option<Function> {
        let function = self.get(id.cast::<FunctionDefinition>()?)?;
        let mut signatures: Vec<Signature> =
            function.signatures.iter().flatten().map(|id| self.signature(*id)).collect();
        let refinement = refinement.and_then(|id| self.get(id));
        for (index, id) in refinement.iter().flat_map(|refinement| refinement.signatures.iter()).enumerate() {
            // An empty element keeps the refined signature.
            let Some(refined) = id.map(|id| self.signature(id)) else { continue };
            match signatures.get_mut(index) {
                Some(signature) => {
                    signature.implementation = refined.implementation.or(signature.implementation.take());
                    signature.description = refined.description.or(signature.description.take());
                    if !refined.metadata.is_empty() {
                        signature.metadata = refined.metadata;
                    }
                }
                None => signatures.push(refined),
            }
        }
        Some(Function {
            name: self.name_of(id),
            origin: self.origin(id)?,
            description: self.text(refinement.and_then(|own| own.description).or(function.description)),
            metadata: self.metadata(
                refinement.map(|own| own.metadata).filter(|own| own.position.is_some()).unwrap_or(function.metadata),
            ),
            signatures,
        })
    }

    fn signature(&self, id: Id<SignatureOf>) -> Signature {
        let Some(signature) = self.get(id) else { return Signature::default() };
        let schemas =
            |ids: &[Id<SchemaDefinition>]| ids.iter().map(|id| self.inline_schema(*id)).collect::<Vec<Arc<_>>>();
        Signature {
            description: self.text(signature.description),
            metadata: self.metadata(signature.metadata),
            arguments: schemas(&signature.arguments),
            optional_arguments: schemas(&signature.optional_arguments),
            variadic: signature.variadic.as_ref().is_some_and(|variadic| variadic.value),
            result: signature.result.map(|id| self.inline_schema(id)),
            implementation: signature.implementation.and_then(|id| self.implementation(id, ArtifactScope::default())),
        }
    }

    /// Returns all definitions of a type or another definition, without assigned values. Unchanged inherited
    /// definitions are shared.
    pub(super) fn definitions<D: super::property::Defines + Typed>(
        &self,
        members: &Members<D>,
    ) -> OverlayMap<Property> {
        self.named(members, |id| self.definitions.get(id.any(), || Arc::new(self.defined(id))))
    }

    /// Returns the definitions of a data type, with their descriptions for forms.
    fn described(&self, members: &Members<PropertyDefinition>) -> OverlayMap<Property> {
        let described = |id: Id<PropertyDefinition>| {
            let mut property = self.defined(id);
            let description = self.get(id).and_then(|definition| self.text(definition.description));
            if description.is_some() {
                Arc::make_mut(&mut property.schema).description = description;
            }
            Arc::new(property)
        };
        self.named(members, |id| self.definitions.get(id.any(), || described(id)))
    }
}
