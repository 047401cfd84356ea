#!/bin/sh
# Starts a worker of the cluster; the orchestrator passes its inputs as variables.
set -eu
echo "starting the worker on $(hostname)"
