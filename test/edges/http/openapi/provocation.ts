import { EXAMPLE_IDS as id } from '../../../../adapters/schemas/examples.ts';
import type { ProblemCode } from '../../../../adapters/http/response/problem.ts';
import type { ExampleEngine, ExampleService, Sender } from './example-service.ts';
import type { Answer, ApiParts, Ask } from '../support.ts';

type Before = (service: ExampleService, example: Ask) => Promise<unknown>;
type Change = (example: Ask) => Ask;

/** How to have the example of an operation refused. */
export interface Provocation {
  /** Of the service that it is sent to. */
  readonly parts?: Omit<ApiParts, 'espalier'>;
  /** Of its engine. */
  readonly engine?: ExampleEngine;
  /** What is done before. */
  readonly before?: Before;
  /** The example, changed. */
  readonly ask?: Change;
  readonly by?: Sender | 'nobody';
  /** Sent in place of the sender's token. */
  readonly token?: string;
}

/** By operation and code. */
export type Provocations = Readonly<Record<string, Readonly<Partial<Record<ProblemCode, Provocation>>>>>;

export const acme = { workspaceId: 'acme' };
export const NOBODY = '01a202ff-0000-7000-8000-000000000000';
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

export const header = (name: string, value: string) => (ask: Ask) => ({
  ...ask,
  headers: { ...ask.headers, [name]: value },
});
export const body = (fields: object) => (ask: Ask) => ({ ...ask, body: { ...(ask.body as object), ...fields } });
export const key = header('idempotency-key', 'a-key');
/** The request that a rule of the host refuses. */
export const GUARDED = 'guarded';

export function sendAs(service: ExampleService, ask: Ask, change: Change = (one) => one): Promise<Answer> {
  const sender = ask.path.endsWith('/join') ? 'eve' : isCommentOfCleo(ask) ? 'cleo' : 'ada';
  return service.ask({ ...change(ask), token: service.tokens[sender] });
}

const isCommentOfCleo = ({ method, path }: Ask) => method === 'PUT' && path.includes('/comment/');

/** The same to a reader, but another body. */
export const spaced: Change = (ask) => ({
  ...ask,
  raw: ask.body === undefined ? '{}' : `${JSON.stringify(ask.body)} `,
});

export function elsewhere(path: string): string {
  const [address, query] = path.split('?');
  const ids = address!.match(ID);
  const last = ids?.at(-1) ?? 'acme';
  const at = address!.lastIndexOf(last);
  const other = ids === null ? 'nowhere' : NOBODY;
  return `${address!.slice(0, at)}${other}${address!.slice(at + last.length)}${query === undefined ? '' : `?${query}`}`;
}

export const view: Before = ({ as }) =>
  Promise.all([
    as.ada.access.grant({ ...acme, pageId: id.launch, memberId: id.ben, access: 100 }),
    as.ada.access.grant({ ...acme, pageId: id.roadmap, memberId: id.ben, access: 100 }),
    as.ada.access.grant({ ...acme, pageId: id.archive, memberId: id.ben, access: 100 }),
  ]);
export const asViewer: Provocation = { by: 'ben', before: view };
export const asMember: Provocation = { by: 'ben' };
export const asStranger: Provocation = { by: 'eve' };

export const externalId = { externalId: 'x-1' };
export const taken = async ({ as }: ExampleService) => {
  await as.ada.boards.create({ ...acme, name: 'Other', ...externalId });
  await as.ada.tasks.create({ ...acme, boardId: id.launch, title: 'Other', ...externalId });
  await as.ada.comments.create({ ...acme, taskId: id.readme, content: 'Other', ...externalId });
};
export const foreign = { ask: body({ statusId: NOBODY }) };
export const noStatus: Before = async ({ as, next }) => {
  next.ids.push(EMPTY_BOARD);
  await as.ada.boards.create({ ...acme, name: 'Empty' });
};
export const EMPTY_BOARD = '01a202fe-0000-7000-8000-000000000000';

/** A second owner, who is hidden what lies below a page of somebody else. */
export const hiddenBelow = (pageId: string): Provocation => ({
  by: 'ben',
  async before({ as }) {
    const folder = await as.ada.pages.create({ ...acme, name: 'Notes', type: 'folder', parentId: pageId });
    const at = { ...acme, pageId: folder.id };
    await as.ada.access.grant({ ...acme, pageId, memberId: id.ben, access: 400 });
    await as.ada.access.grant({ ...at, memberId: id.ben, access: 0 });
  },
});

/** A task whose page has another under it that is hidden from a member. */
export const hiddenUnderTask: Provocation = {
  by: 'ben',
  async before({ as }) {
    await paged({ as });
    const folder = await as.ada.pages.create({ ...acme, name: 'x', type: 'folder', parentId: id.readme });
    await as.ada.access.grant({ ...acme, pageId: id.readme, memberId: id.ben, access: 400 });
    await as.ada.access.grant({ ...acme, pageId: folder.id, memberId: id.ben, access: 0 });
  },
};

/** More tasks than one call takes. */
export const overfull: Before = ({ as }) => {
  const tasks = Array.from({ length: 1_000 }, () => ({ boardId: id.launch, title: 't' }));
  return as.ada.tasks.createMany({ ...acme, tasks });
};

/** More tasks are linked as blocked than a filter looks at. */
export const muchBlocked: Before = async ({ as }) => {
  const make = async (count: number) => {
    const tasks = Array.from({ length: count }, () => ({ boardId: id.launch, title: 't' }));
    return as.ada.tasks.createMany({ ...acme, tasks });
  };
  for (let n = 0; n < 11; n += 1) {
    const [blockers, blocked] = [await make(10), await make(1_000)];
    for (const [i, { id: taskId }] of blocked.entries()) {
      await as.ada.tasks.link({ ...acme, fromTaskId: blockers[i % 10]!.id, type: 'blocks', taskId });
    }
  }
};

/** Before the archive is put in the trash. */
export const trashedBy =
  (before: Before): Before =>
  async (service, ask) => {
    await service.as.ada.trash.restore({ ...acme, trashId: id.archive });
    await before(service, ask);
    await service.as.ada.pages.delete({ ...acme, pageId: id.archive });
  };

/** A task has a page. */
export const paged = ({ as }: Pick<ExampleService, 'as'>) =>
  as.ada.pages.create({ ...acme, name: 'README', type: 'task', taskId: id.readme, parentId: id.launch });

/** So many tasks on adjacent keys, with one free key after every 256, from this one on. */
export const crowd =
  (statusId: string, from = 0): Before =>
  ({ as }) => {
    const tasks = Array.from({ length: 768 }, (_, n) => {
      return { boardId: id.launch, statusId, title: 't', statusOrderKey: from + n + Math.floor(n / 256) };
    });
    return as.ada.tasks.createMany({ ...acme, tasks });
  };

/** The end of the range of keys is in such a column. */
export const full = (statusId: string): Before => crowd(statusId, 2 ** 52 - 769);

/** The status, or the tag, as it is while its tasks are moved. */
export const whileRemoved =
  (part: 'statuses' | 'tags', one: string): Before =>
  async ({ espalier, as }) => {
    const { id: workspaceId } = await as.ada.workspaces.get(acme);
    const removal = { jobId: NOBODY, moveTo: id.done };
    await espalier.store.write(async (tx) => {
      const board = (await tx.boards.get(workspaceId, id.launch))!;
      const marked = board[part].map((each) => (each.id === one ? { ...each, removal } : each));
      await tx.boards.replace({ ...board, [part]: marked, version: board.version + 1 });
    });
  };

/** Sends it with a key, and takes away what it was answered with before it is sent again. */
export const repeated = (
  takeAway: (service: ExampleService, answer: Answer['json']) => Promise<unknown>,
): Provocation => ({
  before: async (service, ask) => takeAway(service, (await sendAs(service, ask, key)).json),
  ask: key,
});

/** A task that is still seen by its own page when its board is hidden. */
export const repeatedBesideHiddenBoard: Provocation = {
  by: 'ben',
  async before(service, ask) {
    await paged(service);
    const { access } = service.as.ada;
    await access.grant({ ...acme, pageId: id.readme, memberId: id.ben, access: 300 });
    await service.ask({ ...key(ask), token: service.tokens.ben });
    await access.grant({ ...acme, pageId: id.launch, memberId: id.ben, access: 0 });
  },
  ask: key,
};

/** An issuer of JSON Web Tokens that answers nobody. */
export const AWAY = { issuer: 'http://127.0.0.1:1', audience: 'https://espalier.example.org' };

/** A token as the issuer makes them, but for its signature. */
export function ofIssuer(iss: string): string {
  const part = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url');
  const claims = { iss, aud: AWAY.audience, sub: 'ada', exp: 4_000_000_000 };
  return [part({ alg: 'ES256', kid: 'key-1' }), part(claims), Buffer.alloc(64).toString('base64url')].join('.');
}

/** Other fields for the tasks. */
export function set(fields: object): Change {
  return (ask) => ({ ...ask, body: { ...(ask.body as object), set: fields } });
}

export function onTask(fields: object): Change {
  return (ask) => ({ ...ask, body: { taskIds: [id.readme], set: fields } });
}

export function drafts(fields: object): Change {
  return (ask) => {
    const { tasks } = ask.body as { tasks: readonly object[] };
    return { ...ask, body: { tasks: tasks.map((task) => ({ ...task, ...fields })) } };
  };
}

/** The operation on the user that is sending it. */
export function ofAda(fields: object): Change {
  return (ask) => ({ ...ask, path: ask.path.replace(id.benAsUser, 'ADA'), body: fields });
}

const GIVEN_UP = '01a202ff-0000-7000-8000-000000000002';

/** Where a copy was to be that was given up at a quota. */
export const copyGivenUp: Provocation = {
  async before({ as, next }) {
    await as.ada.quotas.update({ pages: 1 });
    next.ids.push('01a202ff-0000-7000-8000-000000000001', GIVEN_UP);
    await as.ada.boards.copy({ ...acme, boardId: id.launch }).catch(() => undefined);
  },
  ask: (ask) => ({ ...ask, path: ask.path.replace(/[^/]+$/, GIVEN_UP) }),
};
