#!/usr/bin/env bash
# Says what a fresh machine lacks, and installs what its own package manager has; with "browser", also
# the browser that tests need.
set -euo pipefail

missing=()
for tool in git cc make; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if [ "${#missing[@]}" -gt 0 ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "Installing ${missing[*]}" >&2
  apt-get update -qq
  apt-get install -y -qq git gcc libc6-dev make >/dev/null
  missing=()
fi

# The report of verify is tested in a real browser. Elsewhere than on Debian those tests are skipped.
browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
if [ "${1:-}" = browser ] && [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ] && ! browser >/dev/null; then
  echo "Installing chromium" >&2
  # Nothing but those tests needs it, and they say so.
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } ||
    echo "Chromium could not be installed" >&2
fi

newer() { [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }
need() { # name, oldest version, version found (may be empty), where it comes from
  if [ -z "$3" ] || ! newer "$2" "$3"; then
    missing+=("$1 $2 or newer (found: ${3:-none}; $4)")
  fi
}
need Rust 1.95 "$(rustc --version 2>/dev/null | cut -d' ' -f2)" "rustup.rs"
need Node 20 "$(node --version 2>/dev/null | tr -d v)" "nodejs.org"
command -v npm >/dev/null || missing+=("npm (comes with Node)")

if [ "${#missing[@]}" -gt 0 ]; then
  printf 'This machine lacks:\n' >&2
  printf '  %s\n' "${missing[@]}" >&2
  echo "Install it and run the same command again." >&2
  exit 1
fi
