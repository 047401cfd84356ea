#!/bin/sh
# Installs the shop.
set -eu
echo "installing the shop on $(hostname)"
