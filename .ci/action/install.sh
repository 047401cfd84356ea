#!/usr/bin/env bash
# Downloads the command of a release, verifies its checksum, and writes the folder to `path` in $GITHUB_OUTPUT.
# VERSION is `latest` or a tag; RELEASES is the URL of the releases; TOOLS is the folder of cached tools.
set -euo pipefail

case "$RUNNER_OS-$RUNNER_ARCH" in
  Linux-X64) target=x86_64-unknown-linux-gnu ;;
  Linux-ARM64) target=aarch64-unknown-linux-gnu ;;
  macOS-ARM64) target=aarch64-apple-darwin ;;
  macOS-X64) target=x86_64-apple-darwin ;;
  Windows-X64) target=x86_64-pc-windows-msvc ;;
  *) echo "::error::there is no binary for $RUNNER_OS on $RUNNER_ARCH" && exit 1 ;;
esac

fetch() {
  curl --fail --silent --show-error --location --retry 3 "$@"
}

version=$VERSION
if [ "$version" = latest ]; then
  # The address of the latest release redirects to that of its tag.
  version=$(fetch --output /dev/null --write-out '%{url_effective}' "$RELEASES/latest")
  version=${version##*/}
fi
if ! [[ $version =~ ^v[0-9][0-9A-Za-z.+-]*$ ]]; then
  echo "::error::\`$version\` is not the tag of a release, such as v0.1.0" && exit 1
fi

name=tosca-parse-$version-$target
folder=$TOOLS/$name
if [ ! -d "$folder" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  fetch --output "$work/$name.tar.gz" "$RELEASES/download/$version/$name.tar.gz"
  fetch --output "$work/SHA256SUMS" "$RELEASES/download/$version/SHA256SUMS"
  sum=sha256sum
  command -v sha256sum > /dev/null || sum="shasum -a 256"
  grep -F "  $name.tar.gz" "$work/SHA256SUMS" > "$work/sum" || { echo "::error::SHA256SUMS has no $name.tar.gz" && exit 1; }
  (cd "$work" && $sum --check --status sum) || { echo "::error::$name.tar.gz has the wrong checksum" && exit 1; }
  mkdir -p "$TOOLS"
  tar -xzf "$work/$name.tar.gz" -C "$work"
  mv "$work/$name" "$folder"
fi
echo "path=$folder" >> "$GITHUB_OUTPUT"
echo "version=$version" >> "$GITHUB_OUTPUT"
