#!/bin/sh
# Fuzzes the built service from its own OpenAPI document with schemathesis: `scripts/fuzz/fuzz.sh [EXAMPLES [SEED...]]`.
# EXAMPLES is how many are made for each operation in each phase (default 50); there is a run for each SEED
# (default: one, drawn). Fails on any failure, and on any answer of 5xx.
# schemathesis is installed once, for the user: FUZZ_HOME (default ~/.cache/espalier/fuzz) says where.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
version=4.32.5
home=${FUZZ_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/espalier/fuzz}/$version
examples=${1:-50}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- "$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')"

# Without python3-venv the packages go into a folder of their own all the same.
if [ ! -f "$home/complete" ]; then
  rm -rf "$home"
  python3 -m pip install --quiet --disable-pip-version-check --target "$home" "schemathesis==$version"
  touch "$home/complete"
fi

export ESPALIER_JWT_ISSUER=https://issuer.example.org ESPALIER_JWT_AUDIENCE=https://espalier.example.org
ESPALIER_JWT_SECRET=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
export ESPALIER_JWT_SECRET

work=$(mktemp -d)
service=
finish() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

# A service on a store in memory. Prints what it says on starting.
start() {
  : >"$work/start"
  node "$root/dist/cli/main.js" serve --store memory: --port 0 --json >"$work/start" 2>"$work/log" &
  service=$!
  tries=0
  until grep -q esp_ "$work/start"; do
    tries=$((tries + 1))
    if [ $tries -gt 300 ] || ! kill -0 $service 2>/dev/null; then
      echo 'The service does not start.' >&2
      cat "$work/log" >&2
      exit 1
    fi
    sleep 0.1
  done
  url=$(grep -o 'http://[0-9.]*:[0-9]*' "$work/start" | head -n 1)
  ESPALIER_TOKEN=$(grep -o 'esp_[0-9A-Za-z]*' "$work/start")
  export ESPALIER_TOKEN
  node "$root/scripts/fuzz/fuzz-world.js" "$url" "$work"
}

failed=0
for seed in "$@"; do
  start
  echo "Fuzzing with $examples examples for each operation, seed $seed."
  (cd "$work" && PYTHONPATH=$home FUZZ_HOOKS=$root/scripts/fuzz/fuzz_hooks.py FUZZ_USERS=$work/users.json FUZZ_TOWN=$work/town.json PYTHONDONTWRITEBYTECODE=1 \
    python3 -m schemathesis.cli --config-file "$root/scripts/fuzz/schemathesis.toml" run "$url/api/openapi.json" \
    --phases examples,coverage,fuzzing,stateful \
    --max-examples "$examples" --seed "$seed" --continue-on-failure --no-color) || failed=1
  kill "$service"
  wait "$service" || true
  service=
  # Whatever the checks took it for.
  if grep '"status":5' "$work/log"; then
    echo 'The service has answered 5xx.' >&2
    failed=1
  fi
done
exit $failed
