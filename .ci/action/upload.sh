#!/usr/bin/env bash
# Uploads the report SARIF to code scanning. It needs the permission `security-events: write`.
set -euo pipefail

gzip --stdout "$SARIF" | base64 | tr -d '\n' > "$RUNNER_TEMP/sarif.txt"
gh api --silent --method POST "repos/$GITHUB_REPOSITORY/code-scanning/sarifs" \
  --raw-field "commit_sha=$GITHUB_SHA" --raw-field "ref=$GITHUB_REF" --raw-field tool_name=tosca-parse \
  --field "sarif=@$RUNNER_TEMP/sarif.txt"
