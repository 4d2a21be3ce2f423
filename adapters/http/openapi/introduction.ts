/** What everybody who calls the service has to know, in Markdown: it stands at the head of the document. */
export const INTRODUCTION = `
Workspaces, members, a page tree with inherited access, boards and tasks.

## Try it

The examples are about the workspace of \`examples/acme.jsonl\`. On a service of your own they work as they are:

\`\`\`sh
npm start -- --load examples/acme.jsonl
\`\`\`

It prints the token of its administrator, once. Enter that under *Authentication*; it is kept until the tab is closed, and sent to nobody but this service.

## How to get a token

Send it with every request: \`Authorization: Bearer esp_...\`.

- The first start on an empty store prints one. \`espalier login URL\` keeps it for the command line.
- Make more of your own with \`POST /api/me/token\`: one for each program, with a name and an end. The secret is in that answer alone.
- A service administrator makes one for somebody else with \`POST /api/user/{userId}/token\`, and on the machine of the store
  there is \`espalier token create\`.
- A service that trusts an issuer of JSON Web Tokens takes those as well. The user is made with the first request.

Without a valid token the answer is 401.

## Workspaces, ids and aliases

Ids are UUIDs. The alias of a workspace, such as \`acme\`, goes wherever its id goes in a path; answers carry the id. With
\`expand\` records also say what the ids in them stand for: \`?expand=status,assignees\`.

Paths are taken as they are sent. One that ends in a slash, or in which a segment is \`.\` or \`..\`, escaped or not, is the address
of no operation: 404.

What the caller may not see does not exist for them: it is in no list and no count, and its address answers 404. 403 says
that something may be seen, but not changed like this.

## Paging

Lists that can be long take \`limit\` (1 to 500, 100 if absent). While there is more, the answer has the address of the
next part in \`Link: <...>; rel="next"\`: follow it as it is. Its \`cursor\` is opaque; it stays good while records come and go. The list of tasks
also tells the number of all matches in \`X-Total-Count\`, with \`count=true\`. Other lists come whole.

## Errors

Every error is \`application/problem+json\` (RFC 9457): \`status\`, a stable \`code\` to decide by, and a \`detail\` for people, which
may change. Invalid input also has \`errors\`, each with a JSON Pointer to the field and what is wrong with it.

Checks come in this order: 401, unknown path 404, 405, 406, 413, 415 and 400, then 404 and 403, 412, 422, 409. Nothing of a
request that is refused has happened. A program that the service is part of may have rules of its own: 409 \`guard-refused\`.

## Retries

- \`GET\`, \`PUT\` and \`DELETE\` can be sent again when no answer came.
- With a \`POST\` send an \`Idempotency-Key\` of your own: for 24 hours the same request with the same key has one effect, and each
  repetition gets the first answer, with \`Idempotency-Replayed: true\`; 409 \`replay-hidden\` if the caller no longer sees what it names.
- 503, 429 and \`column-crowded\` (409) say in \`Retry-After\` how many seconds to wait. Other 4xx will not change by being sent again.
- Where the \`detail\` of a 503 says so, the write may have been kept; the key makes it safe to send it again.

Where the service limits how often requests may come, every answer to a token carries \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\`.

## Conditional requests

A single record comes with an \`ETag\`. Send it as \`If-None-Match\` with the next \`GET\`: 304 says that nothing has changed. Send it as
\`If-Match\` with a \`PUT\` or \`DELETE\`: 412 says that somebody else was faster, and nothing was written. Records without an address of
their own (statuses, tags, comments, members) take \`If-Match: "<version>-"\`.

## Writing

A \`PUT\` is a partial update: absent means unchanged, null clears what can be null; an unknown field is refused by name. A record may be read, edited and put back: what cannot be
written is ignored while it is unchanged.

Text is well-formed Unicode without NUL; names and titles are trimmed, and not empty then. JSON is at most 32 levels deep. Times
are in UTC, as \`2026-03-31T09:30:00.000Z\`, and days as \`2026-03-31\`.
`.trim();
