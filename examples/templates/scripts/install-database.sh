#!/bin/sh
# Installs the database.
set -eu
echo "installing the database on $(hostname)"
