#!/usr/bin/env bash
# The whole HTTP interface, call by call, with curl. Needs a running service and a service administrator's token:
#
#   espalier serve --store memory:
#   ESPALIER_TOKEN=esp_... test/edges/examples/every-operation.sh
#
# Prints each call with the status of its answer, and stops at the first that fails.
set -euo pipefail
url=${ESPALIER_URL:-http://127.0.0.1:4800}
token=${ESPALIER_TOKEN:?set it to the token of a service administrator}
suffix=$(date +%s)$$

# call METHOD PATH [JSON]: tells of the call on stderr, and prints the body of the answer.
call() {
  local answer status
  local args=(--silent --show-error --globoff --request "$1" --header "Authorization: Bearer $token" --write-out '\n%{http_code}')
  if [ $# -gt 2 ]; then args+=(--header 'Content-Type: application/json' --data "$3"); fi
  answer=$(curl "${args[@]}" "$url$2")
  status=${answer##*$'\n'}
  printf '%s %s %s\n' "$status" "$1" "$2" >&2
  if [ "$status" -ge 400 ]; then printf '%s\n' "${answer%$'\n'*}" >&2; return 1; fi
  printf '%s' "${answer%$'\n'*}"
}

# field NAME: the first text of that name in a JSON record.
field() { sed -E "s/.*[{,]\"$1\":\"([^\"]*)\".*/\1/"; }
id() { sed -E 's/^\{"id":"([^"]*)".*/\1/'; }

say() { printf '\n# %s\n' "$*" >&2; }

say 'Who am I?'
call GET /api/me >/dev/null
call PUT /api/me '{"phone":"+44 20 7946 0000"}' >/dev/null
mine=$(call POST /api/me/token '{"name":"for the walk"}' | id)
call GET /api/me/token >/dev/null
call DELETE "/api/me/token/$mine"

say 'A service administrator makes a user, and a token for them'
user=$(call POST /api/user "{\"name\":\"Ben\",\"email\":\"ben-$suffix@example.org\"}" | id)
call GET /api/user >/dev/null
call GET "/api/user/$user" >/dev/null
call PUT "/api/user/$user" '{"name":"Ben Builder"}' >/dev/null
ben=$(call POST "/api/user/$user/token" '{"name":"Ben signs in"}' | field token)

say 'A workspace'
w=$(call POST /api/workspace '{"name":"Acme","description":"Roadrunner supplies"}' | id)
call GET /api/workspace >/dev/null
call GET "/api/workspace/$w" >/dev/null
call PUT "/api/workspace/$w" '{"description":"Supplies of all kinds"}' >/dev/null

say 'An invitation, and who takes it up'
invitation=$(call POST "/api/workspace/$w/invitation" "{\"email\":\"ben-$suffix@example.org\"}" | id)
call GET "/api/workspace/$w/invitation" >/dev/null
call GET "/api/workspace/$w/invitation/$invitation" >/dev/null
token=$ben call GET "/api/workspace/invitation/$invitation" >/dev/null
member=$(token=$ben call POST "/api/workspace/invitation/$invitation/join" | id)
other=$(call POST "/api/workspace/$w/invitation" '{}' | id)
call DELETE "/api/workspace/$w/invitation/$other"
call GET "/api/workspace/$w/members" >/dev/null
call PUT "/api/workspace/$w/members/$member" '{"position":"Builder"}' >/dev/null

say 'Pages'
folder=$(call POST "/api/workspace/$w/page" '{"name":"Engineering","type":"folder"}' | id)
notes=$(call POST "/api/workspace/$w/page" '{"name":"Notes","type":"folder"}' | id)
call GET "/api/workspace/$w/page" >/dev/null
call GET "/api/workspace/$w/page/$notes" >/dev/null
call GET "/api/workspace/$w/page/$notes/access/preview?parentId=$folder" >/dev/null
call PUT "/api/workspace/$w/page/$notes" "{\"name\":\"Minutes\",\"parentId\":\"$folder\",\"orderIndex\":0}" >/dev/null

say 'Access to a page'
call GET "/api/workspace/$w/page/$folder/access" >/dev/null
call PUT "/api/workspace/$w/page/$folder/access" '{"inherit":false,"defaultAccess":100}' >/dev/null
call POST "/api/workspace/$w/page/$folder/access/member" "{\"memberId\":\"$member\",\"access\":300}" >/dev/null
call GET "/api/workspace/$w/page/$folder/access/members" >/dev/null
call GET "/api/workspace/$w/page/$notes/access/explain?memberId=$member" >/dev/null
call GET "/api/workspace/$w/access/audit" >/dev/null
call DELETE "/api/workspace/$w/page/$folder/access/member/$member"
call PUT "/api/workspace/$w/page/$folder/access" '{"inherit":true}' >/dev/null

say 'A board with statuses and tags'
board=$(call POST "/api/workspace/$w/board" "{\"name\":\"Dev\",\"parentId\":\"$folder\"}" | id)
todo=$(call POST "/api/workspace/$w/board/$board/status" '{"name":"To do"}' | id)
done=$(call POST "/api/workspace/$w/board/$board/status" '{"name":"Done","done":true}' | id)
later=$(call POST "/api/workspace/$w/board/$board/status" '{"name":"Some day","orderKey":5000}' | id)
tag=$(call POST "/api/workspace/$w/board/$board/tag" '{"name":"bug","color":"crimson"}' | id)
call PUT "/api/workspace/$w/board/$board" '{"description":"What we build"}' >/dev/null
call PUT "/api/workspace/$w/board/$board/status/$todo" '{"name":"Todo"}' >/dev/null
call PUT "/api/workspace/$w/board/$board/tag/$tag" '{"color":"#dc143c"}' >/dev/null
call GET "/api/workspace/$w/board" >/dev/null
call GET "/api/workspace/$w/board/$board" >/dev/null

say 'Tasks'
task=$(call POST "/api/workspace/$w/task" "{\"title\":\"Build the rocket\",\"description\":\"With fins\",\"boardId\":\"$board\",\"statusId\":\"$todo\",\"priority\":300,\"plannedStartDate\":\"2026-03-02\",\"plannedEndDate\":\"2026-03-31\"}" | id)
call POST "/api/workspace/$w/task/batch" "{\"tasks\":[{\"title\":\"Order glue\",\"boardId\":\"$board\"},{\"title\":\"Paint it\",\"boardId\":\"$board\",\"statusId\":\"$later\"}]}" >/dev/null
call POST "/api/workspace/$w/task/$task/tag" "{\"tagId\":\"$tag\"}" >/dev/null
call POST "/api/workspace/$w/task/$task/assignee" "{\"memberId\":\"$member\"}" >/dev/null
comment=$(token=$ben call POST "/api/workspace/$w/task/$task/comment" '{"content":"Which fins?"}' | id)
token=$ben call PUT "/api/workspace/$w/task/$task/comment/$comment" '{"content":"How many fins?"}' >/dev/null
call GET "/api/workspace/$w/task?boardId=$board&tagId=$tag&complete=false&sort=-priority,num&limit=10" >/dev/null
call GET "/api/workspace/$w/task/$task"
printf '\n'
call PUT "/api/workspace/$w/task/$task" "{\"statusId\":\"$done\"}" >/dev/null
item=$(call POST "/api/workspace/$w/task/$task/checklist" '{"text":"Cut the fins"}' | id)
call PUT "/api/workspace/$w/task/$task/checklist/$item" '{"done":true}' >/dev/null
call DELETE "/api/workspace/$w/task/$task/checklist/$item"
whole=$(call POST "/api/workspace/$w/task" "{\"title\":\"Fly to the moon\",\"boardId\":\"$board\"}" | id)
call POST "/api/workspace/$w/task/$task/link" "{\"type\":\"parent\",\"taskId\":\"$whole\"}" >/dev/null
call POST "/api/workspace/$w/task/$task/link" "{\"type\":\"blocks\",\"taskId\":\"$whole\"}" >/dev/null
call DELETE "/api/workspace/$w/task/$task/link/blocks/$whole"
call DELETE "/api/workspace/$w/task/$task/link/parent"
call POST "/api/workspace/$w/task/batch/update" "{\"taskIds\":[\"$task\"],\"set\":{\"priority\":200}}" >/dev/null
call GET "/api/workspace/$w/task/$task/history" >/dev/null
call GET "/api/workspace/$w/board/$board/history" >/dev/null
call GET "/api/workspace/$w/page/$folder/history" >/dev/null
call DELETE "/api/workspace/$w/task/$task/comment/$comment"
call DELETE "/api/workspace/$w/task/$task/assignee/$member"
call DELETE "/api/workspace/$w/task/$task/tag/$tag"

say 'Copies'
call POST "/api/workspace/$w/board/$board/copy" '{"name":"Dev again","tasks":true}' >/dev/null
call POST "/api/workspace/$w/page/$notes/copy" '{"name":"Minutes again"}' >/dev/null

say 'A board of another system, with its authors and times'
owner=$(call GET "/api/workspace/$w" | field memberId)
call POST "/api/workspace/$w/import/board" "{\"memberId\":\"$owner\",\"externalId\":\"b1\",\"name\":\"Old\",\"statuses\":[{\"name\":\"Todo\"}],\"tags\":[],\"tasks\":[{\"externalId\":\"c1\",\"title\":\"Old card\",\"status\":\"Todo\",\"createdAt\":\"2020-01-01T00:00:00Z\"}]}" >/dev/null
call GET "/api/workspace/$w/audit?limit=5" >/dev/null
cursor=$(curl -s -D - -o /dev/null -H "Authorization: Bearer $token" "$url/api/workspace/$w" | tr -d '\r' | sed -n 's/^[Ee]spalier-[Cc]ursor: //p')
call GET "/api/workspace/$w/changes?since=$cursor" >/dev/null
call GET "/api/audit?limit=5" >/dev/null
call GET /api/quota >/dev/null
call PUT /api/quota '{"tags":1000}' >/dev/null

say 'And all of it away again'
call DELETE "/api/workspace/$w/task/$task"
call GET "/api/workspace/$w/trash" >/dev/null
call POST "/api/workspace/$w/trash/$task/restore" '{}' >/dev/null
call POST "/api/workspace/$w/task/batch/delete" "{\"taskIds\":[\"$task\"]}" >/dev/null
call DELETE "/api/workspace/$w/trash/$task"
call DELETE "/api/workspace/$w/board/$board/tag/$tag"
call DELETE "/api/workspace/$w/board/$board/status/$later?moveTo=$todo"
call DELETE "/api/workspace/$w/board/$board"
call DELETE "/api/workspace/$w/page/$folder"
call DELETE "/api/workspace/$w/members/$member"
call DELETE "/api/workspace/$w"
call PUT "/api/user/$user" '{"disabled":true}' >/dev/null
