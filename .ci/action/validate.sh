#!/usr/bin/env bash
# Annotates the lines with problems, and writes a SARIF report if SARIF is a path. Both see the same files and options:
# FILES and ARGUMENTS are separated by spaces or line breaks. The exit code is that of the command.
set -uo pipefail

IFS=$' \t\r\n'
# At the end of the text, `read` fails.
read -r -d '' -a files <<< "$FILES" || true
read -r -d '' -a arguments <<< "$ARGUMENTS" || true

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$TOSCA_PARSE" validate --format github "${arguments[@]}" -- "${files[@]}" | tee "$log"
code=${PIPESTATUS[0]}
{
  echo "exit-code=$code"
  echo "errors=$(grep -c '^::error ' "$log")"
  echo "warnings=$(grep -c '^::warning ' "$log")"
} >> "$GITHUB_OUTPUT"
if [ -n "$SARIF" ]; then
  "$TOSCA_PARSE" validate --format sarif --output-file "$SARIF" --quiet --exit-zero "${arguments[@]}" -- "${files[@]}"
  echo "sarif=$SARIF" >> "$GITHUB_OUTPUT"
fi
exit "$code"
