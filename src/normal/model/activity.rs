//! Serialized form of activities.
//!
//! An enum is a map with one key in JSON, but a tagged value in YAML. A struct with exactly one field that is set has
//! the same form in both.

use serde::{Deserialize, Serialize};

use super::Activity;
use crate::normal::{Map, Name, Value};

/// An activity: exactly one of the fields is set.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Written {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delegate: Option<Inner>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    set_state: Option<Name>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_operation: Option<Called>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inline: Option<Inner>,
}

#[derive(Serialize, Deserialize)]
struct Inner {
    workflow: Name,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    inputs: Map<Value>,
}

#[derive(Serialize, Deserialize)]
struct Called {
    interface: Name,
    operation: Name,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    inputs: Map<Value>,
}

impl From<Activity> for Written {
    fn from(activity: Activity) -> Self {
        let none = Self::default();
        match activity {
            Activity::Delegate { workflow, inputs } => Self { delegate: Some(Inner { workflow, inputs }), ..none },
            Activity::SetState(state) => Self { set_state: Some(state), ..none },
            Activity::CallOperation { interface, operation, inputs } => {
                Self { call_operation: Some(Called { interface, operation, inputs }), ..none }
            }
            Activity::Inline { workflow, inputs } => Self { inline: Some(Inner { workflow, inputs }), ..none },
        }
    }
}

impl TryFrom<Written> for Activity {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        match written {
            Written {
                delegate: Some(Inner { workflow, inputs }),
                set_state: None,
                call_operation: None,
                inline: None,
            } => Ok(Self::Delegate { workflow, inputs }),
            Written { delegate: None, set_state: Some(state), call_operation: None, inline: None } => {
                Ok(Self::SetState(state))
            }
            Written { delegate: None, set_state: None, call_operation: Some(called), inline: None } => {
                let Called { interface, operation, inputs } = called;
                Ok(Self::CallOperation { interface, operation, inputs })
            }
            Written {
                delegate: None,
                set_state: None,
                call_operation: None,
                inline: Some(Inner { workflow, inputs }),
            } => Ok(Self::Inline { workflow, inputs }),
            _ => Err("an activity is a map with one key, its kind"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn activities_are_maps_with_one_key() {
        let activities = [
            Activity::Delegate { workflow: "deploy".into(), inputs: Map::default() },
            Activity::SetState("started".into()),
            Activity::CallOperation { interface: "a".into(), operation: "b".into(), inputs: Map::default() },
            Activity::Inline {
                workflow: "deploy".into(),
                inputs: [("a".into(), Value::Integer(1))].into_iter().collect(),
            },
        ];
        let json = concat!(
            r#"[{"delegate":{"workflow":"deploy"}},{"set_state":"started"},"#,
            r#"{"call_operation":{"interface":"a","operation":"b"}},"#,
            r#"{"inline":{"workflow":"deploy","inputs":{"a":1}}}]"#
        );
        assert_eq!(serde_json::to_string(&activities).unwrap(), json);
        // JSON is YAML.
        assert_eq!(serde_yaml::from_str::<Vec<Activity>>(json).unwrap(), activities);
        let yaml = serde_yaml::to_string(&activities).unwrap();
        assert_eq!(serde_json::to_string(&serde_yaml::from_str::<serde_json::Value>(&yaml).unwrap()).unwrap(), json);
        for wrong in ["{}", r#"{"set_state":"a","inline":{"workflow":"b"}}"#] {
            assert!(serde_json::from_str::<Activity>(wrong).is_err(), "{wrong}");
        }
    }
}
