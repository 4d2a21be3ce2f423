import { Level, type PageView } from 'espalier/client';
import { render } from 'preact';
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { givenToken, goTo, hrefOf, isIn, keepToken, routeNow, takeToken, type Route } from './address.ts';
import { Board } from './board.tsx';
import { CardDialog } from './card-dialog.tsx';
import { Field, Form, isEdited, isUnsent, textIn } from './form.tsx';
import { Records } from './records.ts';

/** Shows what the address names, to whom the token signs in. */
function show(problem = ''): void {
  const token = takeToken();
  const page = token === null ? <SignIn problem={problem} /> : <Home key={token} token={token} route={routeNow()} />;
  render(page, document.getElementById('app')!);
}

/** @param token null: signs out */
function signIn(token: string | null, problem = ''): void {
  keepToken(token);
  show(problem);
}

function SignIn({ problem }: Readonly<{ problem: string }>) {
  return (
    <main class="lone">
      <h1>Sign in</h1>
      {problem !== '' && <p role="alert">{problem}</p>}
      <Form onSend={async (given) => signIn(textIn(given, 'token'))}>
        <Field label="API token" name="token" type="password" autocomplete="off" required />
        <p class="quiet">The first start of the service prints one. This tab keeps it until it is closed.</p>
        <button class="main">Sign in</button>
      </Form>
    </main>
  );
}

/** Makes a board with its columns, and before that a workspace where there is none. */
function Start({ records: { session, workspace, me } }: Readonly<{ records: Records }>) {
  const { name, email, administrator } = me!;
  const make = async (given: FormData) => {
    const { id, alias } = workspace ?? (await session.workspaces.create({ name: textIn(given, 'workspace') }));
    // What is made is gone to at once: a second try, after a failure, makes it no second time.
    goTo({ workspace: alias });
    const { id: boardId } = await session.boards.create({ workspaceId: id, name: textIn(given, 'board') });
    goTo({ board: boardId });
    const columns = textIn(given, 'columns').match(/[^,\s][^,]*/g) ?? [];
    for (const name of columns)
      await session.statuses.create({ workspaceId: id, boardId, name, done: name === columns.at(-1) });
  };
  const columns = { label: 'Columns, in order; cards in the last one are done', defaultValue: 'Todo, Doing, Done' };
  return (
    <section class="lone">
      <h1>{workspace ? 'A new board' : `Welcome, ${name}`}</h1>
      <Form onSend={make}>
        {!workspace && <Field label="Workspace" name="workspace" required />}
        <Field label="Board" name="board" required />
        <Field {...columns} name="columns" required pattern="[^,]{0,100}(,[^,]{0,100})*" />
        <button class="main">Make it</button>
      </Form>
      {!workspace && administrator && (
        <Form onSend={async () => goTo({ workspace: await loadSample(email) })}>
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
async function loadSample(email: string): Promise<string> {
  const sample = await (await fetch(new URL('sample.jsonl', import.meta.url))).text();
  const [, lines, end] = /^(.*\n)(.+)\n$/s.exec(sample.replaceAll('admin@espalier.localhost', () => email))!;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lines));
  const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const response = await fetch(new URL('../api/import', import.meta.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${takeToken()}`, 'content-type': 'application/x-ndjson' },
    body: `${lines}${JSON.stringify({ ...(JSON.parse(end!) as object), sha256 })}\n`,
  });
  const answer = (await response.json()) as Readonly<{ workspace: { alias: string }; detail?: string }>;
  if (!response.ok) throw new Error(answer.detail);
  return answer.workspace.alias;
}

/** The workspaces and their pages, and the board and card that the address names. */
function Home({ token, route }: Readonly<{ token: string; route: Route }>) {
  const [, showAgain] = useReducer<number, void>((count) => count + 1, 0);
  // A late answer signs out nobody who has signed in since, and none signs out who would lose what is written.
  const refused = () => token === takeToken() && !isEdited() && signIn(null, 'This token signs nobody in.');
  const [records] = useState(() => new Records(token, showAgain, refused));
  const { problem, me, workspaces, pages, board } = records;
  // The one before is held until that of a new address is read.
  const workspace = records.workspace && isIn(records.workspace, route) ? records.workspace : undefined;
  useEffect(() => records.open(route), [route.workspace, route.board]);
  useEffect(() => {
    const end = new AbortController();
    void records.follow(end.signal);
    return () => end.abort();
  }, []);
  // Where it is narrow the tree lies over the board.
  useEffect(() => document.getElementById('tree')?.hidePopover(), [location.hash]);

  // Not within a function: what those here use is held by the effects, of boards that are hidden too.
  const at = route.card ?? board?.id;
  const mayAdd = workspace && workspace.role >= (workspace.defaultAccess >= Level.Edit ? 20 : 30);
  const isEmpty = pages !== undefined && !pages.some(({ type }) => type === 'board');
  const isStart = (route.board === 'new' && mayAdd) || (isEmpty && (mayAdd || workspaces?.length === 0));
  const shown = isStart ? <Start records={records} /> : board && <Board key={board.id} {...{ records, board }} />;
  return (
    <div class="home">
      <button popovertarget="tree">Pages</button>
      <nav id="tree" popover="auto" aria-label="Pages">
        {workspaces?.map(({ id, alias, name }) => (
          <section key={id}>
            <a aria-current={id === workspace?.id || undefined} href={hrefOf({ workspace: alias })}>
              {name}
            </a>
            {id === workspace?.id && <Tree {...{ records, alias, at }} />}
          </section>
        ))}
        {mayAdd && <a href={hrefOf({ workspace: workspace?.alias, board: 'new' })}>New board</a>}
        <p class="quiet">{me?.name}</p>
        <button onClick={() => signIn(null)}>Sign out</button>
      </nav>
      <main>
        {problem !== '' && <p role="alert">{problem}</p>}
        {shown ?? <p class="quiet">{board === null ? 'There is no board here that you see.' : 'One moment…'}</p>}
      </main>
      {route.card && workspace && pages && <CardDialog key={route.card} {...{ records, cardId: route.card }} />}
    </div>
  );
}

/** @param at the board or card that is open */
type TreeProps = Readonly<{ records: Records; alias: string; at: string | undefined }>;

/** There may be thousands of pages: they are drawn anew when they have changed, or where one is. */
const Tree = (props: TreeProps) => useMemo(() => <Branches {...props} />, [props.records.pages, props.at]);

function Branches({ records: { pages }, alias, at }: TreeProps) {
  const hrefTo = ({ id, type }: PageView) => hrefOf({ workspace: alias, [type === 'board' ? 'board' : 'card']: id });
  const below = Map.groupBy(pages!, ({ parentId }) => parentId);
  const branch = (parentId: string | null) => (
    <ul>
      {below.get(parentId)?.map((page) => (
        <li key={page.id}>
          <a aria-current={page.id === at && 'page'} {...(page.contentId !== null && { href: hrefTo(page) })}>
            {page.name}
          </a>
          {branch(page.id)}
        </li>
      ))}
    </ul>
  );
  return branch(null);
}

/** Goes where the address leads, but out of a card in which something is written only with consent. */
addEventListener('hashchange', ({ oldURL }) => {
  if (!isUnsent('dialog form') || confirm('Close, and lose what is written and not saved?')) {
    for (const form of document.querySelectorAll<HTMLFormElement>('dialog form')) form.reset();
    return show();
  }
  history[givenToken() === undefined ? 'pushState' : 'replaceState'](null, '', oldURL);
  // Browsers let a page prevent few of the closings that follow each other.
  document.querySelector<HTMLDialogElement>('dialog:not([open])')?.showModal();
});
addEventListener('beforeunload', (event) => isUnsent('form') && event.preventDefault());
// A day may end while it is looked at.
setInterval(() => takeToken() !== null && show(), 60_000);
show();
