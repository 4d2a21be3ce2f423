import { textIn, useForm } from './form.tsx';
import type { Me, Session, Workspace } from './session.ts';

interface StartProps {
  readonly session: Session;
  readonly token: string;
  readonly me: Me;
  /** Undefined: there is none yet, and one is made. */
  readonly workspace: Workspace | undefined;
  readonly onStarted: (alias: string, boardId?: string) => Promise<void>;
}

/** Makes a board with its columns, and before that a workspace where there is none. */
export function Start({ session, token, me, workspace, onStarted }: StartProps) {
  const { onSubmit, attempt, isBusy, alert } = useForm(async (given) => {
    const text = (field: string) => textIn(given, field).trim();
    const { id: workspaceId, alias } = workspace ?? (await session.workspaces.create({ name: text('workspace') }));
    const { id: boardId } = await session.boards.create({ workspaceId, name: text('board') });
    const columns = text('columns').split(/\s*,\s*/);
    for (const name of columns) {
      await session.statuses.create({ workspaceId, boardId, name, done: name === columns.at(-1) });
    }
    await onStarted(alias, boardId);
  });
  const sample = async () => onStarted(await loadSample(token, me.email));
  return (
    <section class="lone">
      <h1 class="text">{workspace === undefined ? `Welcome, ${me.name}` : 'A new board'}</h1>
      <form onSubmit={onSubmit}>
        {workspace === undefined && <Field label="Workspace" name="workspace" value="" />}
        <Field label="Board" name="board" value="" />
        <Field label="Columns, in order; cards in the last one are done" name="columns" value="Todo, Doing, Done" />
        {alert}
        <button class="main" disabled={isBusy}>
          Make it
        </button>
      </form>
      {workspace === undefined && me.administrator && (
        <p>
          Or look at a workspace of three people with different access, a guest among them.{' '}
          <button disabled={isBusy} onClick={() => attempt(sample)}>
            Load the sample
          </button>
        </p>
      )}
    </section>
  );
}

function Field({ label, name, value }: Readonly<Record<'label' | 'name' | 'value', string>>) {
  return (
    <label>
      {label}
      <input name={name} defaultValue={value} required maxLength={200} />
    </label>
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
