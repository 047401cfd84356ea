//! Dry runs of deployments, and tests of packages with mocks.

use std::rc::Rc;

use tosca_parse_murano::{Access, Arguments, Effect, PackageSource, Runtime};
use tosca_parse_yaql::{Result, Value};

const CLASSES: &str = "\
Namespaces: {=: t, std: io.murano, res: io.murano.resources, sys: io.murano.system, conf: io.murano.configuration}
Name: App
Extends: std:Application
Properties:
  name: {Contract: $.string().notNull()}
  instance: {Contract: $.class(res:Instance).notNull()}
  url: {Contract: $.string(), Usage: Out}
Methods:
  deploy:
    Body:
      - $environment: $.find(std:Environment)
      - $environment.reporter.report($this, format('Creating {0}', $.name))
      - $rules: [{FromPort: 80, ToPort: 80, IpProtocol: tcp, External: true}]
      - $environment.securityGroupManager.addGroupIngress($rules)
      - $.instance.deploy()
      - $.instance.agent.call({Name => install, Scripts => {}}, new(sys:Resources))
      - $result: conf:Linux.runCommand($.instance.agent, 'systemctl start web')
      - If: $result.exitCode = 0
        Then:
          - $.url: format('http://{0}', $.instance.ipAddresses.last())
      - $.reportDeployed(title => $.name)
";

fn model() -> Value {
    let text = |text: &str| Value::from(text);
    let dict = |entries: Vec<(&str, Value)>| Value::dict(entries.into_iter().map(|(key, value)| (key.into(), value)));
    let header = |ty: &str, id: &str| dict(vec![("type", text(ty)), ("id", text(id))]);
    let instance = dict(vec![
        ("?", header("io.murano.resources.LinuxMuranoInstance", "i")),
        ("name", text("web")),
        ("flavor", text("small")),
        ("image", text("debian")),
        ("assignFloatingIp", true.into()),
    ]);
    let app = dict(vec![("?", header("t.App", "a")), ("name", text("shop")), ("instance", instance)]);
    let network =
        dict(vec![("?", dict(vec![("type", text("io.murano.resources.NeutronNetwork"))])), ("name", text("net"))]);
    dict(vec![
        ("?", header("io.murano.Environment", "e")),
        ("name", text("env")),
        ("applications", Value::list(vec![app])),
        ("defaultNetworks", dict(vec![("environment", network), ("flat", Value::Null)])),
    ])
}

fn shown(effects: &[Effect]) -> Vec<String> {
    effects.iter().map(|effect| format!("{} {} {}", effect.kind.as_str(), effect.action, effect.target)).collect()
}

#[test]
fn deployment_records_requests_in_order() -> Result<()> {
    let package = PackageSource::from_text("t", "1.4", &[], CLASSES)?;
    let runtime = Runtime::builder().package(package).record().build()?;
    runtime.load_object(&model())?;
    runtime.call_object("e", "deploy", Arguments::default(), Access::Action)?;
    let effects = runtime.effects();
    assert_eq!(
        shown(&effects),
        [
            "report report shop",
            "stack push env",
            "stack push env",
            "stack push env",
            "notification trackCloudInstance web",
            "agent call web",
            "agent call web",
            "notification trackApplication shop",
        ]
    );
    let template = effects[3].details.get(&Value::from("template")).unwrap();
    let resources = template.get("resources").and_then(Value::as_dict).unwrap();
    let types: Vec<String> = resources.values().map(|resource| resource.get("type").unwrap().to_python()).collect();
    for ty in ["OS::Neutron::SecurityGroup", "OS::Neutron::Net", "OS::Neutron::Subnet", "OS::Nova::Server"] {
        assert!(types.iter().any(|other| other == ty), "{types:?}");
    }
    let app = runtime.object("a").unwrap();
    assert_eq!(app.property("url"), Some("http://198.51.100.2".into()));
    // Effects are forgotten with the objects.
    runtime.forget();
    assert!(runtime.effects().is_empty());
    let package = PackageSource::from_text("t", "1.4", &[], CLASSES)?;
    let runtime = Runtime::builder().package(package).build()?;
    runtime.load_object(&model())?;
    runtime.call_object("e", "deploy", Arguments::default(), Access::Action)?;
    assert!(runtime.effects().is_empty());
    Ok(())
}

#[test]
fn all_resources_of_the_core_library_can_be_deployed() -> Result<()> {
    let kinds = [
        "LinuxMuranoInstance",
        "LinuxUDInstance",
        "LinuxInstance",
        "WindowsInstance",
        "ConfLangInstance",
        "HeatSWConfigInstance",
        "HeatSWConfigLinuxInstance",
    ];
    let of = |kind: &str, rest: serde_json::Value| {
        let mut object = serde_json::json!({"?": {"type": format!("io.murano.{kind}")}});
        object.as_object_mut().unwrap().extend(rest.as_object().cloned().unwrap());
        object
    };
    let group = |affinity| of("resources.InstanceAffinityGroup", serde_json::json!({"affinity": affinity}));
    let volume = of("resources.CinderVolume", serde_json::json!({"size": 1, "sourceImage": "debian"}));
    let existing = of("resources.ExistingCinderVolume", serde_json::json!({"openstackId": "v"}));
    let networks = serde_json::json!({
        "useEnvironmentNetwork": true, "useFlatNetwork": true,
        "customNetworks": [
            of("resources.ExistingNeutronNetwork", serde_json::json!({"internalNetworkName": "lan"})),
            of("resources.NovaNetwork", serde_json::json!({})),
        ],
    });
    let application = |(number, kind): (usize, &&str)| {
        let instance = of(
            &format!("resources.{kind}"),
            serde_json::json!({
                "name": format!("web{number}"), "flavor": "small", "image": "debian", "networks": networks,
                "instanceAffinityGroup": group(number % 2 == 0), "volumes": {"/dev/vdb": volume},
                "blockDevices": [{"volume": existing, "deviceType": "disk", "bootIndex": 0}],
                "sharedIps": [of("SharedIp", serde_json::json!({}))],
            }),
        );
        serde_json::json!({"?": {"type": "t.App"}, "name": format!("shop{number}"), "instance": instance, "file": of("File", serde_json::json!({}))})
    };
    let applications: Vec<_> = kinds.iter().enumerate().map(application).collect();
    let network = |name: &str| of("resources.NeutronNetwork", serde_json::json!({"name": name}));
    let environment = of(
        "Environment",
        serde_json::json!({
            "name": "env", "applications": applications,
            "defaultNetworks": {"environment": network("net"), "flat": network("flat")},
        }),
    );
    let mut environment = environment;
    environment["?"]["id"] = "e".into();
    let classes = CLASSES.replacen("Properties:", "Properties:\n  file: {Contract: $.class(std:File)}", 1);
    let runtime = Runtime::builder().package(PackageSource::from_text("t", "1.4", &[], &classes)?).record().build()?;
    runtime.load_object(&Value::from(&environment))?;
    runtime.call_object("e", "deploy", Arguments::default(), Access::Action)?;
    let effects = runtime.effects();
    let template = effects.iter().rev().find_map(|effect| effect.details.get(&Value::from("template"))).unwrap();
    let text = template.repr();
    for part in ["OS::Nova::ServerGroup", "anti-affinity", "OS::Cinder::Volume", "OS::Neutron::Net"] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    assert_eq!(effects.iter().filter(|effect| effect.action == "trackApplication").count(), kinds.len());
    Ok(())
}

const TESTS: &str = "\
Namespaces: {=: t, std: io.murano, sys: io.murano.system, test: io.murano.test}
Name: Machine
Properties:
  speed: {Contract: $.int().notNull(), Default: 3}
Methods:
  run:
    Arguments:
      - times: {Contract: $.int().notNull()}
    Body:
      - Return: $times * $.speed
  twice:
    Body:
      - Return: $.run(2)
  make:
    Usage: Static
    Body:
      - Return: new(Machine)
---
Name: Fast
Extends: Machine
---
Name: MachineTest
Extends: test:TestFixture
Methods:
  initialize:
    Body:
      - $.calls: 0
  setUp:
    Body:
      - $.machine: new(Machine)
  mock:
    Arguments:
      - times: {Contract: $}
    Body:
      - $.calls: $.calls + 1
      - Return: 100 + originalMethod()
  testMethodMock:
    Body:
      - inject($.machine, run, $this, mock)
      - $.assertEqual(106, $.machine.twice())
      - $.assertEqual(1, $.calls)
      - $.assertEqual(6, new(Machine).twice())
  testExpressionMock:
    Body:
      - $local: 5
      - inject(Machine, run, withOriginal(n => $times) -> $n + 1)
      - $.assertEqual(3, new(Fast).twice())
      - inject('t.Machine', twice, $local)
      - $.assertEqual(null, $.machine.twice())
      - inject(Machine, make, nothing)
      - $.assertEqual(nothing, :Machine.make())
  testMocksEnd:
    Body:
      - $.assertEqual(6, $.machine.twice())
      - $.assertEqual(0, $.calls)
  testFails:
    Body:
      - $.assertEqual(1, $.machine.speed, 'wrong speed')
  helper: {}
---
Name: EnvironmentTest
Extends: test:TestFixtureWithEnvironment
Methods:
  testEnvironment:
    Body:
      - $.assertTrue($.environment is std:Environment)
      - inject($.environment.stack, output, {'a' => 1})
      - $.assertIn(a, $.environment.stack.output())
      - $.environment.deploy()
";

#[test]
fn tests_of_packages_run() -> Result<()> {
    let package = PackageSource::from_text("t", "1.4", &[], TESTS)?;
    let runtime = Runtime::builder().package(package).test().build()?;
    let tests = runtime.tests("t")?;
    let outcome = |runtime: &Rc<Runtime>| -> Vec<String> {
        let run = |test| runtime.run_test(test).err().map_or_else(|| "ok".to_owned(), |error| error.to_string());
        tests.iter().map(|test| format!("{} {}", test.method, run(test))).collect()
    };
    let expected = [
        "testMethodMock ok",
        "testExpressionMock ok",
        "testMocksEnd ok",
        "testFails wrong speed",
        "testEnvironment ok",
    ];
    assert_eq!(outcome(&runtime), expected);
    assert_eq!(outcome(&runtime), expected, "tests leave nothing behind");
    // Mocks exist only in tests.
    let package = PackageSource::from_text("t", "1.4", &[], TESTS)?;
    let runtime = Runtime::builder().package(package).build()?;
    assert!(runtime.run_test(&tests[0]).unwrap_err().to_string().contains("inject"));
    Ok(())
}

#[test]
fn exceptions_have_stack_traces() -> Result<()> {
    let text = "\
Namespaces: {=: t, std: io.murano}
Name: A
Methods:
  fail:
    Body:
      - Throw: Boom
  m:
    Body:
      - Try:
          - $.fail()
        Catch:
          As: e
          Do:
            - $trace: $e.stackTrace
            - Return: [$trace.toString('> '), $trace.frames.select($.methodName), $trace is std:StackTrace]
  secret:
    Body:
      - Return: config(rabbitmq, password)
";
    let package = PackageSource::from_text("t", "1.4", &[], text)?;
    let runtime = Runtime::builder().package(package).config(|_, _| "secret".into()).build()?;
    let header = Value::dict([("type".into(), "t.A".into()), ("id".into(), "a".into())]);
    runtime.load_object(&Value::dict([("?".into(), header)]))?;
    let value = runtime.call_object("a", "m", Arguments::default(), Access::Session)?;
    let lines = "> t:10:13 in t.A::m: $.fail()\n> t:6:9 in t.A::fail: Throw: Boom";
    let methods = Value::list(vec!["m".into(), "fail".into()]);
    assert_eq!(value, Value::list(vec![lines.into(), methods, true.into()]));
    // Only the core library reads the configuration of the host.
    let error = runtime.call_object("a", "secret", Arguments::default(), Access::Session).unwrap_err();
    assert!(error.to_string().contains("config"), "{error}");
    Ok(())
}
