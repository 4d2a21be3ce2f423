#!/usr/bin/env bash
# For CI: opens a task for a build that failed, once for each branch, and closes it when the build is green again.
# Then prints what is still open, as Markdown. Needs ESPALIER_URL and ESPALIER_TOKEN.
#
#   ci-report.sh WORKSPACE BOARD BRANCH passed|failed
set -euo pipefail

espalier=${ESPALIER:-espalier}
export ESPALIER_WORKSPACE=$1
board=$2 branch=$3 result=$4
id="ci/$branch"

open=$($espalier task list --board "$board" --external-id "$id" --no-complete --jq '.[0].num // empty')
if [ "$result" = failed ] && [ -z "$open" ]; then
  # Of a build that failed before: the same task, open again.
  before=$($espalier task list --board "$board" --external-id "$id" --jq '.[0].num // empty')
  if [ -n "$before" ]; then
    $espalier task edit "$before" --no-complete >/dev/null
  else
    $espalier task create --board "$board" --title "Build of $branch fails" --priority high --external-id "$id" >/dev/null
  fi
elif [ "$result" = passed ] && [ -n "$open" ]; then
  $espalier task edit "$open" --complete >/dev/null
fi

$espalier task list --board "$board" --no-complete --all \
  --template '- [ ] #{{ num }} {{ title }} ({{ expanded.status.name }}{% for one in expanded.assignees %}, {{ one.name }}{% endfor %})'
