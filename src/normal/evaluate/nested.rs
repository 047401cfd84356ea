//! Services that substitute nodes of other services.

use std::io;

use foldhash::HashMap;
use serde::Serialize;

use super::super::{Call, Map, Name, Node, PropertyMapping, Service, Substitution, TypeName, Value};
use super::evaluator::{Allowance, EvaluationProblem, Evaluator};
use super::owner::Standing;
use super::{Evaluation, evaluate};
use crate::budget::Limits;

/// The maximum number of nested services, at all levels.
const MAX_NESTED: usize = 1000;

/// The maximum number of levels. Readers of the result are recursive, too.
const MAX_LEVELS: usize = 16;

/// The maximum size of all nested services as JSON and of the values that are computed for them, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The size that the comparison of a node with a service counts as, in bytes.
const COMPARISON: u64 = 64;

/// A service that substitutes a node of another service.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NestedService {
    /// The model of the service, evaluated with the inputs. Its substitution mappings state which of its capabilities
    /// and requirements represent those of the node.
    pub service: Service,
    /// The inputs that receive properties of the node, with their values. An input whose value is not known yet is
    /// missing.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub inputs: Map<Value>,
    /// The attributes of the node that outputs of the service supply, with their values. An attribute whose value is
    /// not known yet is missing, and so are attributes of capabilities and relationships.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub attributes: Map<Value>,
    /// The condition that the node must fulfill, if it is not known whether it does: the condition depends on the
    /// deployment, or is in the notation of TOSCA 1.x.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<Value>,
    /// The values of the service that can't be computed although all their dependencies are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<EvaluationProblem>,
    /// The services that substitute nodes of the service, by the name of the node.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub nested: Map<NestedService>,
}

/// The limit that nested services exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NestingError {
    /// There are too many nested services.
    #[error("more than {MAX_NESTED} services substitute nodes")]
    TooMany,
    /// The services are nested too deeply.
    #[error("services are nested more than {MAX_LEVELS} levels deep")]
    TooDeep,
    /// The nested services are too large, or too many of them are compared with nodes.
    #[error("the services that substitute nodes are larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
}

/// Returns the JSON Schema of the serialized result of [`Service::nested`], which is published as
/// `docs/nested.schema.json`.
#[cfg(feature = "schema")]
pub fn nested_json_schema() -> serde_json::Value {
    let mut schema = crate::json_schema::of::<Map<NestedService>>();
    schema["title"] = "NestedServices".into();
    schema
}

impl Service {
    /// Returns the services that substitute nodes of this service, by the name of the node: for each node with the
    /// directive `substitute`, the first of the given services that can substitute it. Its substitution mappings name
    /// the type of the node or a type derived from it, and the node fulfills its filter, as far as this is known. Nodes
    /// without such a service are missing.
    ///
    /// The properties of a node become inputs of its service, as mapped, and the service is evaluated with them. So
    /// [evaluate](Self::evaluate) this service first. `services` should be neither evaluated nor contain this service.
    /// A service is never nested in itself.
    ///
    /// ```
    /// use tosca_parse::normal::{Map, Service};
    /// use tosca_parse::{Entry, Parser, TOSCA};
    ///
    /// let parser = Parser::builder(&TOSCA).build()?;
    /// let service = |text: &str| {
    ///     let types = "node_types: { Database: { properties: { size: { type: integer } } } }";
    ///     let text = format!("tosca_definitions_version: tosca_2_0\n{types}\n{text}");
    ///     let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text));
    ///     Service::of(&outcome.program).expect("there is a service template")
    /// };
    /// let shop = service("
    /// service_template:
    ///   node_templates: { db: { type: Database, directives: [ substitute ], properties: { size: 3 } } }
    /// ");
    /// let cluster = service("
    /// service_template:
    ///   inputs: { nodes: { type: integer } }
    ///   node_templates: {}
    ///   substitution_mappings: { node_type: Database, properties: { size: nodes } }
    /// ");
    /// let nested = shop.evaluate(&Map::new()).service.nested(&[cluster])?;
    /// assert_eq!(nested["db"].inputs["nodes"].as_integer(), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than 1000 nested services or 16 levels of them, or if they are larger than
    /// 64 MiB.
    pub fn nested(&self, services: &[Self]) -> Result<Map<NestedService>, NestingError> {
        let allowance = Allowance::with(MAX_BYTES, Limits::default());
        let substitutes = Substitutes::of(services);
        Nesting { services, substitutes, allowance: &allowance, open: Vec::new(), count: 0 }.nested_of(self)
    }
}

/// The services that can substitute nodes, by the types of the nodes.
pub(crate) struct Substitutes<'a>(HashMap<&'a TypeName, Vec<usize>>);

impl<'a> Substitutes<'a> {
    pub(crate) fn of(services: &'a [Service]) -> Self {
        let mut by_type: HashMap<&TypeName, Vec<usize>> = HashMap::default();
        for (index, service) in services.iter().enumerate() {
            // A service can substitute nodes of the type that its mappings name, and of all ancestors of this type.
            for name in service.substitution.iter().flat_map(|substitution| &*substitution.types) {
                by_type.entry(name).or_default().push(index);
            }
        }
        Self(by_type)
    }

    /// Returns the indexes of the services that can substitute a node according to its type.
    pub(crate) fn of_node(&self, node: &Node) -> &[usize] {
        node.types.first().and_then(|name| self.0.get(name)).map_or(&[], Vec::as_slice)
    }
}

impl Node {
    /// Returns whether another service may provide the node: a directive is `substitute`, or `substitutable` in 1.x.
    pub(crate) fn is_substituted(&self) -> bool {
        self.directives.iter().any(|directive| matches!(&**directive, "substitute" | "substitutable"))
    }
}

/// The search for nested services.
struct Nesting<'a> {
    services: &'a [Service],
    substitutes: Substitutes<'a>,
    allowance: &'a Allowance,
    /// The indexes of the services around the current one.
    open: Vec<usize>,
    count: usize,
}

impl Nesting<'_> {
    fn nested_of(&mut self, service: &Service) -> Result<Map<NestedService>, NestingError> {
        let mut nested = Map::new();
        let mut outer = Evaluator::new(service, self.allowance);
        for (number, (name, node)) in service.nodes.iter().enumerate().filter(|(_, (_, node))| node.is_substituted()) {
            if let Some((index, filter)) = self.substitute(&mut outer, number, node)? {
                nested.insert(name.clone(), self.nest(&mut outer, number, index, filter)?);
            }
        }
        Ok(nested)
    }

    /// Finds the service that substitutes a node. Returns its index, and its filter if the filter can't be computed.
    fn substitute(
        &self,
        outer: &mut Evaluator<'_>,
        number: usize,
        node: &Node,
    ) -> Result<Option<(usize, Option<Value>)>, NestingError> {
        for index in self.substitutes.of_node(node) {
            self.charge(COMPARISON)?;
            if self.open.contains(index) {
                continue;
            }
            let filter = self.services[*index].substitution.as_ref().and_then(|of| of.filter.as_ref());
            match filter.map(|filter| outer.one_with(filter, Standing::Node(number), None)) {
                Some(Value::Boolean(false)) => {}
                None | Some(Value::Boolean(true)) => return Ok(Some((*index, None))),
                unknown => return Ok(Some((*index, unknown))),
            }
        }
        Ok(None)
    }

    /// Evaluates the service that substitutes a node, and finds the services nested in it.
    fn nest(
        &mut self,
        outer: &mut Evaluator<'_>,
        number: usize,
        index: usize,
        filter: Option<Value>,
    ) -> Result<NestedService, NestingError> {
        self.count += 1;
        if self.count > MAX_NESTED {
            return Err(NestingError::TooMany);
        }
        if self.open.len() == MAX_LEVELS {
            return Err(NestingError::TooDeep);
        }
        let service = &self.services[index];
        let inputs = inputs(service, outer, number);
        let Evaluation { service, problems } = evaluate(service.clone(), &inputs, &Map::new(), self.allowance);
        self.charge(size(&service))?;
        self.open.push(index);
        let nested = self.nested_of(&service);
        self.open.pop();
        let attributes = attributes(&service, outer, number);
        Ok(NestedService { service, inputs, attributes, filter, problems, nested: nested? })
    }

    fn charge(&self, bytes: u64) -> Result<(), NestingError> {
        self.allowance.budget.bytes(bytes).map_err(|_| NestingError::TooLarge)
    }
}

/// Returns the inputs of a service that receive properties of a node, with the known values.
fn inputs(service: &Service, outer: &mut Evaluator<'_>, number: usize) -> Map<Value> {
    let mut property = |path: &[Value]| {
        let arguments = std::iter::once("SELF".into()).chain(path.iter().cloned()).collect();
        let call = Value::Call(Box::new(Call { name: "get_property".into(), origin: None, arguments }));
        Some(outer.one_with(&call, Standing::Node(number), None)).filter(Value::is_data)
    };
    let Some(substitution) = &service.substitution else { return Map::new() };
    if maps_by_name(service) {
        let of_input = |input: &Name| Some((input.clone(), property(&[input.clone().into()])?));
        return service.inputs.keys().filter_map(of_input).collect();
    }
    let mapped = |mapping: &PropertyMapping| Some((mapping.input.clone()?, property(&mapping.path)?));
    substitution.properties.iter().filter_map(mapped).collect()
}

/// Returns the attributes of a node that outputs of an evaluated service supply, with the known values.
fn attributes(service: &Service, outer: &Evaluator<'_>, number: usize) -> Map<Value> {
    let output = |name: &str| service.outputs.get(name)?.value.clone().filter(Value::is_data);
    let Some(Substitution { attributes, .. }) = &service.substitution else { return Map::new() };
    if maps_by_name(service) {
        let names = outer.service.nodes[number].attributes.keys();
        return names.filter_map(|name| Some((name.clone(), output(name)?))).collect();
    }
    let mapped = |mapping: &PropertyMapping| match &mapping.path[..] {
        [Value::String(name)] => Some((name.clone(), output(mapping.output.as_ref()?)?)),
        _ => None,
    };
    attributes.iter().filter_map(mapped).collect()
}

/// Returns whether inputs and outputs belong to the properties and attributes with the same names, because the version
/// has no mappings for them.
fn maps_by_name(service: &Service) -> bool {
    matches!(&*service.language, "TOSCA 1.0" | "TOSCA 1.1")
}

/// Returns the size of a service as JSON, in bytes.
fn size(service: &Service) -> u64 {
    struct Counter(u64);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    // Neither serializing a model nor counting fails.
    serde_json::to_writer(&mut counter, service).map_or(u64::MAX, |()| counter.0)
}
