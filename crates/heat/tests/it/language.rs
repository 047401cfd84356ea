//! Small templates with the problems expected of them, and the examples of rule pages.

use tosca_parse_engine::{Entry, Parser};
use tosca_parse_heat::HEAT;
use tosca_parse_heat::rules::EXPLAINED;

fn problems(text: &str) -> Vec<String> {
    let parser = Parser::builder(&HEAT).build().unwrap();
    let outcome = parser.parse_entry(Entry::text(parser.address("main.yaml").unwrap(), text));
    outcome.diagnostics.iter().map(|problem| format!("{} {}", problem.rule.code, problem.message)).collect()
}

fn template(rest: &str) -> String {
    format!("heat_template_version: 2021-04-16\n{rest}")
}

#[test]
fn valid_template_has_no_problems() {
    let text = template(
        "parameters: { size: { type: number, default: 8 } }\nresources:\n  text:\n    type: OS::Heat::RandomString\n    \
         properties: { length: { get_param: size } }\noutputs: { text: { value: { get_attr: [text, value] } } }\n",
    );
    assert_eq!(problems(&text), [""; 0]);
}

#[test]
fn misspelt_names_are_suggested() {
    let text = template("resources:\n  text: { type: OS::Heat::RandomStrin }\n");
    assert_eq!(problems(&text), ["H2005 there is no resource type `OS::Heat::RandomStrin`"]);
    let text = template("resources:\n  text: { type: OS::Heat::RandomString, properties: { lenght: 4 } }\n");
    assert_eq!(problems(&text), ["H5001 there is no property `lenght`"]);
}

#[test]
fn dependency_cycles_show_their_path() {
    let text = template(
        "resources:\n  a: { type: OS::Heat::None, depends_on: b }\n  b: { type: OS::Heat::None, depends_on: c }\n  \
         c: { type: OS::Heat::None, depends_on: a }\n",
    );
    assert_eq!(problems(&text), ["H3001 resource `a` depends on itself: a → b → c → a"]);
}

#[test]
fn examples_of_rules_are_wrong_and_right() {
    for explained in EXPLAINED {
        let code = explained.rule.code;
        for (is_wrong, part) in
            ["```yaml wrong\n", "```yaml right\n"].iter().enumerate().map(|(at, part)| (at == 0, part))
        {
            let Some((_, example)) = explained.text.split_once(part) else { continue };
            let found = problems(example.split("```").next().unwrap());
            assert_eq!(found.iter().any(|problem| problem.starts_with(code)), is_wrong, "{code}: {found:?}");
            assert!(is_wrong || found.is_empty(), "{code}: {found:?}");
        }
    }
}
