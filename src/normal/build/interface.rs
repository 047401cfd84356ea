//! Interfaces and their implementations.

use std::sync::Arc;

use super::super::{Artifact, Implementation, Interface, Operation, OverlayMap, Repository};
use super::builder::{Builder, Extensions, Share};
use crate::diagnostic::SourceId;
use crate::entity::{AnyId, Id, Members, Precedence, Text, Values};
use crate::grammar::Metadata;
use crate::grammar::definition::{
    ArtifactDefinition, Implementation as ImplementationOf, InterfaceDefinition, NotificationDefinition,
    OperationDefinition, ParameterDefinition,
};
use crate::grammar::section::ARTIFACT_TYPES;
use crate::grammar::template::{InterfaceAssignment, NotificationAssignment, OperationAssignment};
use crate::grammar::types::ArtifactType;

/// The artifacts of a node, by name.
pub(super) type Artifacts = OverlayMap<Artifact>;

/// The artifacts that an implementation can name.
#[derive(Clone, Copy, Default)]
pub(super) struct ArtifactScope<'a> {
    named: Option<&'a Artifacts>,
    /// The part of their types that artifacts get.
    share: Share,
}

impl<'a> ArtifactScope<'a> {
    pub(super) fn unnamed(share: Share) -> Self {
        Self { named: None, share }
    }

    pub(super) fn of(artifacts: &'a Artifacts, share: Share) -> Self {
        Self { named: Some(artifacts), share }
    }
}

/// An operation or notification, as it is defined or assigned.
struct Called {
    id: AnyId,
    description: Option<Text>,
    metadata: Metadata,
    implementation: Option<Id<ImplementationOf>>,
}

impl Builder<'_> {
    /// Returns the interfaces of a type or a definition.
    pub(super) fn interfaces(
        &self,
        interfaces: &Members<InterfaceDefinition>,
        scope: ArtifactScope<'_>,
    ) -> OverlayMap<Interface> {
        self.named(interfaces, |id| Arc::new(self.interface(id, scope)))
    }

    fn interface(&self, id: Id<InterfaceDefinition>, scope: ArtifactScope<'_>) -> Interface {
        let Some(interface) = self.get(id) else { return Interface::default() };
        Interface {
            types: self.types_of(interface.r#type),
            description: self.text(interface.description),
            metadata: self.metadata(interface.metadata),
            inputs: self.definitions(&interface.inputs),
            operations: self.named(&interface.operations, |id| {
                let Some(operation) = self.get(id) else { return Arc::default() };
                let called = operation.called(id);
                Arc::new(self.operation(&called, &operation.inputs, &operation.outputs, scope))
            }),
            notifications: self.named(&interface.notifications, |id| {
                let Some(notification) = self.get(id) else { return Arc::default() };
                let called = notification.called(id);
                Arc::new(self.operation(&called, &notification.inputs, &notification.outputs, scope))
            }),
            source: self.source(id.any()),
        }
    }

    fn operation(
        &self,
        called: &Called,
        inputs: &Members<ParameterDefinition>,
        outputs: &Members<ParameterDefinition>,
        scope: ArtifactScope<'_>,
    ) -> Operation {
        Operation {
            description: self.text(called.description),
            metadata: self.metadata(called.metadata),
            implementation: called.implementation.and_then(|id| self.implementation(id, scope)),
            inputs: self.definitions(inputs),
            outputs: self.definitions(outputs),
            source: self.source(called.id),
        }
    }

    /// Applies the interface assignments of a template.
    pub(super) fn assign_interfaces(
        &self,
        interfaces: &mut OverlayMap<Interface>,
        assigned: &Members<InterfaceAssignment>,
        defined: Option<&Members<InterfaceDefinition>>,
        scope: ArtifactScope<'_>,
    ) {
        for (name, id) in assigned.iter() {
            let Some(assignment) = self.get(id) else { continue };
            let definition = defined.and_then(|defined| self.get(defined.get(name)?));
            let interface = interfaces.get_or_default(self.name(name));
            let interface = Arc::make_mut(interface);
            interface.source = self.source(id.any());
            self.say(
                &mut interface.description,
                &mut interface.metadata,
                (assignment.description, assignment.metadata),
            );
            let common = definition.map(|definition| &definition.inputs);
            self.assign(&mut interface.inputs, assignment.inputs, common);
            for (name, id) in assignment.operations.iter() {
                let Some(own) = self.get(id) else { continue };
                let inputs = definition
                    .and_then(|definition| self.get(definition.operations.get(name)?))
                    .map(|operation| &operation.inputs);
                let operation = Arc::make_mut(interface.operations.get_or_default(self.name(name)));
                let called = own.called(id);
                self.assign_operation(operation, &called, (own.inputs, own.outputs), inputs, scope);
            }
            for (name, id) in assignment.notifications.iter() {
                let Some(own) = self.get(id) else { continue };
                let inputs = definition
                    .and_then(|definition| self.get(definition.notifications.get(name)?))
                    .map(|notification| &notification.inputs);
                let notification = Arc::make_mut(interface.notifications.get_or_default(self.name(name)));
                let called = own.called(id);
                self.assign_operation(notification, &called, (own.inputs, own.outputs), inputs, scope);
            }
        }
    }

    fn assign_operation(
        &self,
        operation: &mut Operation,
        called: &Called,
        (inputs, outputs): (Values, Values),
        definitions: Option<&Members<ParameterDefinition>>,
        scope: ArtifactScope<'_>,
    ) {
        operation.source = self.source(called.id);
        self.say(&mut operation.description, &mut operation.metadata, (called.description, called.metadata));
        if let Some(implementation) = called.implementation {
            operation.implementation = self.implementation(implementation, scope);
        }
        self.assign(&mut operation.inputs, inputs, definitions);
        self.map_outputs(&mut operation.outputs, outputs);
    }

    /// Returns an implementation, with names of artifacts replaced by the artifacts.
    pub(super) fn implementation(&self, id: Id<ImplementationOf>, scope: ArtifactScope<'_>) -> Option<Implementation> {
        let implementation = self.get(id)?;
        let artifact = |id: Id<ArtifactDefinition>| self.artifact_named(id, scope);
        Some(Implementation {
            description: self.text(implementation.description),
            metadata: self.metadata(implementation.metadata),
            primary: implementation.primary.map(artifact),
            dependencies: implementation.dependencies.iter().copied().map(artifact).collect(),
            timeout: self.given(implementation.timeout),
            operation_host: self.text(implementation.operation_host),
        })
    }

    /// Returns an artifact of an implementation, which may be given by its name only.
    fn artifact_named(&self, id: Id<ArtifactDefinition>, scope: ArtifactScope<'_>) -> Arc<Artifact> {
        let own = self.get(id).filter(|own| own.r#type.is_none() && own.repository.is_none());
        let name = own.and_then(|own| self.data(Some(own.file?.0))).map(crate::ard::Node::text);
        let known = scope.named.zip(name).and_then(|(artifacts, name)| artifacts.get(name));
        known.cloned().unwrap_or_else(|| Arc::new(self.artifact(id, scope.share)))
    }

    /// Returns the artifacts of a type or a template.
    pub(super) fn artifacts(&self, artifacts: &Members<ArtifactDefinition>, share: Share) -> Artifacts {
        artifacts
            .iter()
            .map(|(name, id)| {
                let name = self.name(name);
                let artifact = Artifact { name: Some(name.clone()), ..self.artifact(id, share) };
                (name, Arc::new(artifact))
            })
            .collect()
    }

    fn artifact(&self, id: Id<ArtifactDefinition>, share: Share) -> Artifact {
        let Some(artifact) = self.get(id) else { return Artifact::default() };
        let named = self.context.target_of(artifact.r#type);
        let deduced = || self.type_of_file(id.any().unit, self.data(Some(artifact.file?.0))?.text());
        let of_type = if artifact.r#type.is_some() { named } else { deduced() };
        let artifact_type = of_type.filter(|_| share == Share::All).and_then(|id| self.get(id));
        let definitions = artifact_type.map(|of_type| &of_type.properties);
        let mut properties = definitions.map_or_else(OverlayMap::default, |definitions| self.definitions(definitions));
        self.assign(&mut properties, artifact.properties, definitions);
        let repository = artifact.repository.map(|reference| {
            let repository = self.context.target(reference).and_then(|id| self.get(id));
            Repository {
                name: self.name(reference.name),
                url: repository.and_then(|repository| self.text(repository.url)),
                credential: repository.and_then(|repository| self.given(repository.credential)),
            }
        });
        Artifact {
            name: None,
            types: of_type.map_or_else(|| self.types_of(artifact.r#type), |id| self.types_for(id.any(), share)),
            // A quirk allows functions in place of the file name, which is then unknown.
            file: self.text(artifact.file).filter(|file| !file.is_empty()),
            repository,
            base: self.file_of(id.unit),
            description: self.text(artifact.description),
            metadata: self.metadata(artifact.metadata),
            mime_type: artifact_type.and_then(|of_type| self.text(of_type.mime_type)),
            file_ext: artifact_type.map_or_else(Vec::new, |of_type| self.texts(&of_type.file_ext)),
            deploy_path: self.text(artifact.deploy_path),
            artifact_version: artifact.artifact_version.as_ref().map(|version| version.value.0.as_str().into()),
            checksum: artifact.checksum.as_ref().map(|checksum| checksum.value.0.as_str().into()),
            checksum_algorithm: self.text(artifact.checksum_algorithm),
            properties,
            source: self.source(id.any()),
        }
    }
}

impl Builder<'_> {
    /// Infers the artifact type of a file from its extension, if only one type has this extension (1.3, 3.6.7; 2.0,
    /// 12.3).
    fn type_of_file(&self, unit: SourceId, file: &str) -> Option<Id<ArtifactType>> {
        let (_, extension) = file.rsplit_once('.')?;
        let types = self.extensions.get(unit, || {
            let mut types = Extensions::default();
            let program = self.context.program;
            let index = program.index(unit);
            let implicit =
                index.map_or(&[][..], |index| &program.implicit[index]).iter().map(|index| &program.list[*index]);
            let implicit = implicit.filter(|unit| unit.implicit != Some(Precedence::Tolerated));
            let units = std::iter::once(unit).chain(implicit.map(|unit| unit.id));
            for (_, id) in units.flat_map(|unit| program.visible(unit, ARTIFACT_TYPES)) {
                let Some((id, of_type)) = id.cast::<ArtifactType>().and_then(|id| Some((id, self.get(id)?))) else {
                    continue;
                };
                for extension in self.texts(&of_type.file_ext) {
                    types
                        .entry(extension)
                        .and_modify(|known| *known = known.filter(|known| *known == id))
                        .or_insert(Some(id));
                }
            }
            Arc::new(types)
        });
        types.get(extension).copied().flatten()
    }
}

/// Implements the conversion of definitions and assignments of operations and notifications, which all have the same
/// three fields.
macro_rules! called {
    ($($entity:ident),*) => {
        $(impl $entity {
            fn called(&self, id: Id<Self>) -> Called {
                Called {
                    id: id.any(),
                    description: self.description,
                    metadata: self.metadata,
                    implementation: self.implementation,
                }
            }
        })*
    };
}

called!(OperationDefinition, NotificationDefinition, OperationAssignment, NotificationAssignment);
