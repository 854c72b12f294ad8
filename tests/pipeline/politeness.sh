#!/usr/bin/env bash
# Writes docs/politeness.md: the rules, the tests of each that pass, and the table of the simulation.
set -euo pipefail
cd "$(dirname "$0")/../.."
doc=docs/politeness.md
run=$(mktemp)
trap 'rm -f "$run"' EXIT

cargo test --locked -p gleaner-fetch -p gleaner-polling -p gleaner-pipeline -p gleaner-library p >"$run"
simulation=$(cargo test --locked -p gleaner-polling --test simulation -- --nocapture | grep '^|')

{
  cat <<'HEAD'
# Politeness

What publishers can rely on. Each rule has tests with its number: most use a scripted server on loopback and the whole path of a feed
(`tests/pipeline/tests/politeness`), some a single exchange (`gleaner-fetch`) or only the schedule (`gleaner-polling`).
`make politeness` generates this page from a run of them, and fails when a rule has no test that passed.

HEAD
  while IFS= read -r line; do
    case $line in
      '# '*) printf '\n## %s\n\n| | Rule | Tests |\n| --- | --- | --- |\n' "${line#\# }" ;;
      *)
        number=${line%% *}
        tests=$(sed -nE "s/^test (.*::)?(${number,,}_[a-z0-9_]*|p[0-9_and]*_and_${number,,}_[a-z0-9_]*|p[0-9]+_p[0-9]+_${number,,}_[a-z0-9_]*|p[0-9]+_${number,,}_[a-z0-9_]*) \.\.\. ok$/\`\2\`/p" "$run" | sort -u | paste -sd' ')
        if [ -z "$tests" ]; then
          printf '%s has no test that passed\n' "$number" >&2
          exit 1
        fi
        printf '| %s | %s | %s |\n' "$number" "${line#* }" "$tests"
        ;;
    esac
  done <tests/pipeline/politeness.rules
  cat <<TAIL

## What it costs publishers and readers

A simulation of 5,000 feeds over thirty days: busy and quiet ones, with and without fixed hours, a tenth of them down for a while, some
with hints, and one in a hundred that responds with 429 to a second request within the hour (\`src-tauri/crates/gleaner-polling/tests/simulation.rs\`).
The delay is the time from the publication of an article until it is in the library.

$simulation
TAIL
} >"$doc.new"
mv "$doc.new" "$doc"
