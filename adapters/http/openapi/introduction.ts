/** The description of the OpenAPI document, in Markdown: what every client of the service needs to know. */
export const INTRODUCTION = `
Workspaces, members, a page tree with inherited access, boards and tasks.

## Try it

The examples use the workspace in \`examples/acme.jsonl\`. They work unchanged on a service that has loaded it:

\`\`\`sh
npm start -- --load examples/acme.jsonl
\`\`\`

The service prints the token of its administrator, once. Enter it under *Authentication*: this page keeps it until the tab is
closed, and sends it to this service only.

## How to get a token

Send a token with every request: \`Authorization: Bearer esp_...\`.

- The first start on an empty store prints one. \`espalier login URL\` saves it for the command line.
- Create more with \`POST /api/me/token\`: one for each program, with a name and an expiry time. Only that answer has the secret.
- A service administrator creates one for another user with \`POST /api/user/{userId}/token\`. On the machine of the store,
  \`espalier token create\` does so too.
- A service that trusts an issuer of JSON Web Tokens accepts those as well. The first request of a user creates the user.

Without a valid token the answer is 401.

## Workspaces, ids and aliases

Ids are UUIDs. In a path, the alias of a workspace, such as \`acme\`, can stand in place of its id; answers have the id. With
\`expand\` records also have the names of what their ids refer to: \`?expand=status,assignees\`.

Paths are matched exactly. A path that ends in a slash, or has a segment \`.\` or \`..\`, escaped or not, matches no operation:
404.

What the caller may not see does not exist for them: no list or count includes it, and its address answers 404. 403 means
that the caller may see the record, but may not change it in this way.

## Paging

Lists that can be long take \`limit\` (1 to 500, default 100). If more items follow, \`Link: <...>; rel="next"\` has the
path of the next page: resolve it against the address of the request, as \`urljoin\` does in Python. Its \`cursor\` is opaque, and
stays valid while records are added and removed. With
\`count=true\` the list of tasks also gives the number of all matches in \`X-Total-Count\`. Other lists are complete.

## Errors

Every error is \`application/problem+json\` (RFC 9457): \`status\`, a stable \`code\` for programs, and a \`detail\` for people, which
may change. Invalid input also has \`errors\`: each has a JSON Pointer to a field, and says what is wrong with it.

Checks run in this order: 401, unknown path 404, 405, 406, 413, 415 and 400, then 404 and 403, 412, 422, 409. A refused
request changes nothing. An application that embeds the service may have rules of its own: 409 \`guard-refused\`.

## Retries

- \`GET\`, \`PUT\` and \`DELETE\` can be repeated if no answer arrives.
- Send a \`POST\` with an \`Idempotency-Key\` of your own. For 24 hours the same request with the same key takes effect once. Each
  repetition gets the first answer, with \`Idempotency-Replayed: true\`; 409 \`replay-hidden\` if the caller no longer sees what it names.
- 503, 429 and \`column-crowded\` (409) give in \`Retry-After\` the seconds to wait. Repeating does not change other 4xx answers.
- If the \`detail\` of a 503 says so, the write may have been saved. With the key it is safe to repeat it.

If the service limits the rate of requests, every answer to a token has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\`.

## Conditional requests

A single record has an \`ETag\`. Send it as \`If-None-Match\` with the next \`GET\`: 304 means that nothing has changed. Send it as
\`If-Match\` with a \`PUT\` or \`DELETE\`: 412 means that somebody else changed the record first, and nothing was written. Records
without an address of their own (statuses, tags, comments, members) take \`If-Match: "<version>-"\`, items of a checklist the
\`ETag\` or version of their task.

## Writing

A \`PUT\` is a partial update: an absent field stays unchanged, null clears a nullable field, and an unknown field is refused by
name. You can read a record, edit it and put it back: read-only fields are ignored while they are unchanged.

Text is well-formed Unicode without NUL. Names and titles are trimmed, and must not be empty then. JSON is at most 32 levels deep.
Times are in UTC, such as \`2026-03-31T09:30:00.000Z\`; days are such as \`2026-03-31\`.
`.trim();
