#!/bin/sh
# Deploys a service to processes of this computer, prints its outputs, and undeploys it when standard input ends.
#
#   sh deploy.sh [service.yaml ['{"input": "value"}']]
#
# It needs curl, jq, Python, and a running `tosca-parse serve`. The template imports no files.

set -eu
service=${TOSCA_PARSE_URL:-http://127.0.0.1:8080}
file=${1:-$(dirname "$0")/shop.yaml}
inputs=${2:-'{}'}
folder=$(mktemp -d)
echo '{}' >"$folder/attributes"
: >"$folder/begun"     # the nodes whose deployment has begun
: >"$folder/processes" # lines with the number of a process and its node

fail() {
    echo "error: $*" >&2
    exit 1
}

# Sends a request to the service. Values that depend on known attributes are computed.
ask() { # PATH
    curl --silent --show-error --fail-with-body --noproxy '*' --form "entry=@$file" --form-string "inputs=$inputs" \
        --form "attributes=<$folder/attributes" "$service/$1" >"$folder/answer" ||
        fail "$service/$1: $(cat "$folder/answer")"
    jq --raw-output '.problems.diagnostics[] | "\(.file):\(.start.line): \(.severity)[\(.code)]: \(.message)"' \
        "$folder/answer" >&2
    jq --exit-status .valid "$folder/answer" >/dev/null || fail "$file is invalid"
}

# Calls the operations of a node, and stores their outputs in attributes.
take() { # deployment|undeployment NODE
    jq --compact-output --arg node "$2" ".plan.$1[].steps[] | select(.node == \$node) | .operations[]?" \
        "$folder/plan" >"$folder/calls"
    while read -r call <&3; do
        ask 'model?evaluate=true'
        jq --argjson call "$call" '
            $call.relationship as $related | .model.nodes[($related.source? // $call.node)] |
            if $related == null then . else
                .requirements[] | select(.name == $related.requirement and .target.node == $related.target).relationship
            end | .interfaces[$call.interface] | .operations[$call.operation] as $operation | {
                name: "\($call.interface).\($call.operation)",
                program: $call.implementation.primary.file,
                inputs: (.inputs + $operation.inputs // {} | map_values(.value)),
                outputs: ($operation.outputs // {})
            }' "$folder/answer" >"$folder/operation"
        jq --raw-output --arg node "$2" '"\($node): \(.name)(\(.inputs))"' "$folder/operation" >&2
        jq --exit-status '[.inputs | .. | objects | has("$call")] | any | not' "$folder/operation" >/dev/null ||
            fail "there are unknown inputs"
        run "$2" "$(dirname "$file")/$(jq --raw-output .program "$folder/operation")"
        jq --arg node "$2" --argjson results "$results" --slurpfile operation "$folder/operation" '
            .[$node] += ($operation[0].outputs | with_entries(
                .key as $name | select(.value.mapping[0] == "SELF" and ($results | has($name))) |
                { key: .value.mapping[1], value: $results[$name] }
            ))' "$folder/attributes" >"$folder/changed"
        mv "$folder/changed" "$folder/attributes"
    done 3<"$folder/calls"
}

# Runs a program until it has written its outputs, or has exited.
run() { # NODE PROGRAM
    mkfifo "$folder/results"
    jq .inputs "$folder/operation" | python3 "$2" >"$folder/results" 3<&- 4<&- &
    echo "$! $1" >>"$folder/processes"
    read -r results <"$folder/results" || results={}
    rm "$folder/results"
    [ "$results" != {} ] || wait $! || fail "\`$1\`: $2 failed"
}

# Removes all nodes of the deployment, which may be incomplete, in the reverse order.
undeploy() {
    while read -r node <&4; do
        (grep --quiet --line-regexp --fixed-strings "$node" "$folder/begun" && take undeployment "$node") || :
        while read -r process owner; do
            [ "$owner" = "$node" ] || continue
            kill "$process" 2>/dev/null || :
            wait "$process" 2>/dev/null || :
            echo "$node: process $process ended" >&2
        done <"$folder/processes"
    done 4<"$folder/undeployment"
}

trap 'status=$?; [ ! -e "$folder/plan" ] || undeploy; rm -r "$folder"; exit $status' EXIT
trap 'exit 130' INT TERM
ask plan
for phase in deployment undeployment; do
    jq --raw-output ".plan.$phase[].steps[].node" "$folder/answer" >"$folder/$phase"
done
mv "$folder/answer" "$folder/plan"
while read -r node <&4; do
    echo "$node" >>"$folder/begun"
    take deployment "$node"
    url=$(jq --raw-output --arg node "$node" '.[$node].url // empty' "$folder/attributes")
    [ -z "$url" ] || curl --silent --fail --noproxy '*' --max-time 10 --output /dev/null "$url" ||
        fail "\`$node\` does not answer"
done 4<"$folder/deployment"
ask 'model?evaluate=true'
jq --compact-output '.model.outputs // {} | map_values(.value)' "$folder/answer"
while read -r _; do :; done
