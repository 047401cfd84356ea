//! Serialized form of activities.
//!
//! An enum is a map with one key in JSON, but a tagged value in YAML. A struct with exactly one field that is set has
//! the same form in both.

use serde::{Deserialize, Serialize};

use super::{Activity, OperationCall, WorkflowCall};
use crate::normal::Name;

/// An activity: exactly one of the fields is set.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Written {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delegate: Option<WorkflowCall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    set_state: Option<Name>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_operation: Option<OperationCall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inline: Option<WorkflowCall>,
}

impl From<Activity> for Written {
    fn from(activity: Activity) -> Self {
        let none = Self::default();
        match activity {
            Activity::Delegate(call) => Self { delegate: Some(call), ..none },
            Activity::SetState(state) => Self { set_state: Some(state), ..none },
            Activity::CallOperation(call) => Self { call_operation: Some(call), ..none },
            Activity::Inline(call) => Self { inline: Some(call), ..none },
        }
    }
}

impl TryFrom<Written> for Activity {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let Written { delegate, set_state, call_operation, inline } = written;
        match (delegate, set_state, call_operation, inline) {
            (Some(call), None, None, None) => Ok(Self::Delegate(call)),
            (None, Some(state), None, None) => Ok(Self::SetState(state)),
            (None, None, Some(call), None) => Ok(Self::CallOperation(call)),
            (None, None, None, Some(call)) => Ok(Self::Inline(call)),
            _ => Err("an activity is a map with one key, its kind"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::normal::Value;

    #[test]
    fn activities_are_maps_with_one_key() {
        let deploy = WorkflowCall { workflow: "deploy".into(), ..WorkflowCall::default() };
        let inputs = [("a".into(), Value::Integer(1))].into_iter().collect();
        let operation = OperationCall { interface: "a".into(), operation: "b".into(), ..OperationCall::default() };
        let activities = [
            Activity::Delegate(deploy.clone()),
            Activity::SetState("started".into()),
            Activity::CallOperation(operation),
            Activity::Inline(WorkflowCall { inputs, ..deploy }),
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
