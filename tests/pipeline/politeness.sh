#!/usr/bin/env bash
# Writes docs/politeness.md: the rules, the tests that passed for each in a run made now, and the simulation's table.
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

What publishers can count on. Each rule has tests of its own that bear its number: most of them a scripted server on loopback and the whole way of a
feed (`tests/pipeline/tests/politeness.rs`), some one exchange (`gleaner-fetch`), some the pure schedule (`gleaner-polling`).
This page is written by `make politeness` from a run of them; a rule without a test that passed stops it.

HEAD
  while IFS= read -r line; do
    case $line in
      '# '*) printf '\n## %s\n\n| | Rule | Tests that hold it |\n| --- | --- | --- |\n' "${line#\# }" ;;
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

## What it costs publishers, and readers

5,000 feeds over thirty days by a clock of its own: busy and quiet ones, at set hours and at any, a tenth of them down for a while, some
with hints, one in a hundred that answers 429 to whoever comes back within the hour (\`src-tauri/crates/gleaner-polling/tests/simulation.rs\`).
The delay is from when an article was posted to when it was in the library.

$simulation
TAIL
} >"$doc.new"
mv "$doc.new" "$doc"
