#!/usr/bin/env bash
# A short walk through the HTTP interface with curl and jq, on a running service:
#
#   espalier serve --store memory:
#   ESPALIER_TOKEN=esp_... examples/http-walk.sh
set -euo pipefail
url=${ESPALIER_URL:-http://127.0.0.1:4800}/api/workspace

# ask METHOD PATH [JSON]
ask() {
  curl --silent --show-error --fail-with-body -X "$1" "$url$2" -H "Authorization: Bearer $ESPALIER_TOKEN" \
    -H 'Content-Type: application/json' ${3:+--data "$3"}
}

echo '# A workspace, and a board with two columns in it'
w=$(ask POST '' '{"name": "Acme"}' | jq -r .alias)
board=$(ask POST "/$w/board" '{"name": "Dev"}' | jq -r .id)
ask POST "/$w/board/$board/status" '{"name": "Todo"}' | jq -c '{name, done}'
done=$(ask POST "/$w/board/$board/status" '{"name": "Done", "done": true}' | jq -r .id)

echo '# Two tasks at once; one of them is moved, and so completed'
ask POST "/$w/task/batch" "{\"tasks\": [{\"boardId\": \"$board\", \"title\": \"Order glue\"},
  {\"boardId\": \"$board\", \"title\": \"Build the rocket\", \"priority\": 300}]}" | jq -c '.[] | {num, title}'
task=$(ask GET "/$w/task?q=rocket" | jq -r '.[0].id')
ask PUT "/$w/task/$task" "{\"statusId\": \"$done\"}" | jq -c '{num, complete}'

echo '# The list, with names beside ids'
ask GET "/$w/task?sort=-priority&expand=status,createdBy" |
  jq -r '.[] | "#\(.num) \(.title): \(.expanded.status.name), by \(.expanded.createdBy.name)"'

echo '# An update that is based on an older version is refused'
ask PUT "/$w/task/$task" '{"title": "Rebuild the rocket"}' >/dev/null
curl -s -X PUT "$url/$w/task/$task" -H "Authorization: Bearer $ESPALIER_TOKEN" -H 'If-Match: "1-"' \
  -H 'Content-Type: application/json' --data '{"title": "Too late"}' | jq -c '{status, code}'

ask DELETE "/$w"
