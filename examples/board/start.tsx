import { Field, Form, textIn } from './form.tsx';
import type { Records } from './records.ts';
import { goTo } from './route.ts';
import type { Workspace } from './session.ts';

/** Makes a board with its columns, and before that a workspace where there is none. */
export function Start({ records, token }: { readonly records: Records; readonly token: string }) {
  const { session, workspace } = records;
  const { name, email, administrator } = records.me!;
  const make = async (given: FormData) => {
    const { id: workspaceId, alias } =
      workspace ?? (await session.workspaces.create({ name: textIn(given, 'workspace') }));
    const board = await session.boards.create({ workspaceId, name: textIn(given, 'board') });
    const columns = textIn(given, 'columns').split(/\s*,\s*/);
    for (const column of columns) {
      const done = column === columns.at(-1);
      await session.statuses.create({ workspaceId, boardId: board.id, name: column, done });
    }
    goTo({ workspace: alias, board: board.id });
  };
  return (
    <section class="lone">
      <h1>{workspace === undefined ? `Welcome, ${name}` : 'A new board'}</h1>
      <Form onSend={make}>
        {workspace === undefined && <Field label="Workspace" name="workspace" required maxLength={200} />}
        <Field label="Board" name="board" required maxLength={200} />
        <Field
          label="Columns, in order; cards in the last one are done"
          name="columns"
          defaultValue="Todo, Doing, Done"
          required
        />
        <button class="main">Make it</button>
      </Form>
      {workspace === undefined && administrator && (
        <Form onSend={async () => goTo({ workspace: await loadSample(token, email) })}>
          <p>Or look at a workspace of three people with different access, a guest among them.</p>
          <button>Load the sample</button>
        </Form>
      )}
    </section>
  );
}

/**
 * The client sends whole workspaces from Node only, where bodies are streams. A page posts the lines of a file: those of
 * the sample, with the e-mail address of its owner become that of the caller, so that it is theirs.
 */
async function loadSample(token: string, email: string): Promise<string> {
  const sample = await (await fetch('/board/sample.jsonl')).text();
  const lines = sample.replaceAll('admin@espalier.localhost', email).trimEnd().split('\n');
  const end = JSON.parse(lines.pop()!) as object;
  const body = `${lines.join('\n')}\n`;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body)));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const response = await fetch('/api/import', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: `${body}${JSON.stringify({ ...end, sha256 })}\n`,
  });
  const answer = (await response.json()) as { readonly workspace: Workspace; readonly detail?: string };
  if (!response.ok) throw new Error(answer.detail);
  return answer.workspace.alias;
}
