//! A valid template of any size: a few types, and many node templates that require each other.

use std::fmt::Write;

/// Returns a template with the given number of node templates, rounded up to whole groups of five.
pub(crate) fn template(nodes: usize) -> String {
    let groups = nodes.div_ceil(5).max(1);
    let mut text = String::with_capacity(2_500 * groups);
    text += include_str!("types.yaml");
    for group in 0..groups {
        write_group(&mut text, group, groups).expect("writing to a string does not fail");
    }
    text
}

/// Two servers with software on them, and an application that uses this software and a broker of the previous group.
fn write_group(text: &mut String, group: usize, groups: usize) -> std::fmt::Result {
    for server in 0..2 {
        let (memory, disk) = (2 + server, 20 + group % 50);
        write!(
            text,
            "    server_{group:06}_{server}:\n\
             \x20     type: Server\n\
             \x20     capabilities:\n\
             \x20       host:\n\
             \x20         properties:\n\
             \x20           num_cpus: {{ $get_input: cpus }}\n\
             \x20           mem_size: {memory} GB\n\
             \x20           disk_size: {disk} GB\n\
             \x20       os:\n\
             \x20         properties:\n\
             \x20           architecture: x86_64\n\
             \x20           type: linux\n\
             \x20           version: \"12.{server}\"\n"
        )?;
    }
    let (before, team, replicas, depth) = ((group + groups - 1) % groups, group % 7, 1 + group % 9, 1 + group % 1000);
    write!(
        text,
        "    database_{group:06}:\n\
         \x20     type: Database\n\
         \x20     properties:\n\
         \x20       component_version: \"2.{team}\"\n\
         \x20       name: db{group}\n\
         \x20       password: secret{group}\n\
         \x20     requirements:\n\
         \x20     - host: server_{group:06}_0\n\
         \x20     interfaces:\n\
         \x20       Standard:\n\
         \x20         operations:\n\
         \x20           create: scripts/create.sh\n\
         \x20           configure: scripts/configure.sh\n\
         \x20   broker_{group:06}:\n\
         \x20     type: Broker\n\
         \x20     requirements:\n\
         \x20     - host: server_{group:06}_1\n\
         \x20     capabilities:\n\
         \x20       queue:\n\
         \x20         properties:\n\
         \x20           depth: {depth}\n\
         \x20           topics: [ orders, t{group}, \"topic {group}\" ]\n\
         \x20   app_{group:06}:\n\
         \x20     type: App\n\
         \x20     description: application {group}\n\
         \x20     metadata:\n\
         \x20       owner: team{team}\n\
         \x20     properties:\n\
         \x20       replicas: {replicas}\n\
         \x20       labels:\n\
         \x20         app: app{group}\n\
         \x20         region: {{ $get_input: region }}\n\
         \x20       tags: [ a, b{group}, c ]\n\
         \x20       limits:\n\
         \x20         hard: {depth}\n\
         \x20         note: n{group}\n\
         \x20       image: registry.example/app{group}:1\n\
         \x20     requirements:\n\
         \x20     - host: server_{group:06}_0\n\
         \x20     - database: database_{group:06}\n\
         \x20     - queue:\n\
         \x20         node: broker_{group:06}\n\
         \x20         relationship:\n\
         \x20           type: UsesQueue\n\
         \x20           properties:\n\
         \x20             weight: 0.{replicas}\n\
         \x20     - queue: broker_{before:06}\n\
         \x20     interfaces:\n\
         \x20       Ops:\n\
         \x20         operations:\n\
         \x20           backup:\n\
         \x20             implementation: scripts/backup.sh\n\
         \x20             inputs:\n\
         \x20               target: bucket{group}\n"
    )
}
