import { createEspalier, openStore, type Espalier } from '../../adapters/service/index.ts';
import { mongodbStore } from '../../adapters/store-mongodb/index.ts';
import type { Page } from '../../core/model/page.ts';
import type { StructureChange } from '../../core/model/structure.ts';
import { member, newId, page, status, workspace } from '../../test/contract/records.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import type { Scale } from '../scale.ts';
import { freshPlace, type Place, type StoreName } from '../stores.ts';

const MOST_ON_MONGODB = 100_000;

/** Far more of one kind than the quotas of an open service let anybody have: how long one call holds up the others. */
export function volumePart(store: StoreName): Part {
  return {
    name: `volume-${store.toLowerCase()}`,
    async run(scale) {
      const rows: Row[] = [];
      for (const kind of Object.keys(VOLUMES) as (keyof Scale['volume'])[]) {
        const place = await freshPlace(store);
        if (place === null) return [];
        const count = store === 'MongoDB' ? Math.min(scale.volume[kind], MOST_ON_MONGODB) : scale.volume[kind];
        let espalier = await opened(place);
        const ada = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
        const calls = await VOLUMES[kind](espalier, ada.id, count);
        if (store !== 'memory') {
          await espalier.close();
          espalier = await opened(place);
        }
        for (const [work, call] of Object.entries(calls)) {
          const { took, longest } = await timed(() => call(espalier.as(ada), espalier.operator));
          rows.push(
            judged({
              name: `volume-${store.toLowerCase()}-${kind}-${work.replace(/\W+/g, '-')}`,
              work: `${work} with ${count} ${kind}, ${store}: the longest turn of the event loop`,
              unit: 'ms',
              figure: longest,
              beside: { 'all of it, ms': took },
            }),
          );
        }
        await espalier.close();
      }
      return rows;
    },
  };
}

async function opened({ url, dbName }: Place): Promise<Espalier> {
  return createEspalier({ store: dbName === undefined ? await openStore(url) : mongodbStore({ url, dbName }) });
}

type Session = ReturnType<Espalier['as']>;
type Calls = Readonly<Record<string, (session: Session, operator: Session) => Promise<unknown>>>;

const CHUNK = 1_000;

/** What is put into a store of each kind, and what is then called. */
const VOLUMES: Readonly<
  Record<keyof Scale['volume'], (espalier: Espalier, userId: string, count: number) => Promise<Calls>>
> = {
  async pages(espalier, userId, count) {
    const { id: workspaceId, memberId } = await espalier.as(userId).workspaces.create({ name: 'Acme' });
    const pages: Page[] = [];
    for (let i = 0; i < count; i += 1) {
      const parentId = i < 20 ? null : pages[Math.floor(i / 20) - 1]!.id;
      pages.push(page(workspaceId, { name: `p${i}`, parentId, orderKey: i, createdById: memberId }));
    }
    await inChunks(pages, (some) => changed(espalier, workspaceId, { pages: some }));
    const [pageId, last] = [pages[25]!.id, pages.at(-1)!.id];
    return {
      'read a page': ({ pages: all }) => all.get({ workspaceId, pageId: last }),
      'read a page again': ({ pages: all }) => all.get({ workspaceId, pageId: last }),
      'create a page': ({ pages: all }) => all.create({ workspaceId, name: 'x', type: 'folder', parentId: last }),
      'move a page': ({ pages: all }) => all.update({ workspaceId, pageId, parentId: pages[1]!.id }),
      'list pages': ({ pages: all }) => all.list({ workspaceId }),
      'delete a page': ({ pages: all }) => all.delete({ workspaceId, pageId: pages[2]!.id }),
      'delete the workspace': ({ workspaces }) => workspaces.delete({ workspaceId }),
    };
  },
  async entries(espalier, userId, count) {
    const { id: workspaceId, memberId } = await espalier.as(userId).workspaces.create({ name: 'Acme' });
    const members = Array.from({ length: count }, () => member(workspaceId, { role: 20 }));
    await inChunks(members, (some) => changed(espalier, workspaceId, { members: some }));
    const { id: pageId } = await espalier.as(userId).pages.create({ workspaceId, name: 'p', type: 'folder' });
    const grant = members.map(({ id }) => ({ workspaceId, pageId, memberId: id, access: 200 as const }));
    for (const each of grant.slice(0, Math.min(count, 500))) await espalier.as(userId).access.grant(each);
    return {
      'grant access': ({ access }) => access.grant({ ...grant[0]!, access: 300 }),
      'list members of a page': ({ access }) => access.members({ workspaceId, pageId }),
      'explain access': ({ access }) => access.explain({ workspaceId, pageId, memberId }),
    };
  },
  async memberships(espalier, userId, count) {
    const { id: other } = await espalier.users.create({ name: 'Ben', email: 'ben@example.org' });
    await withWorkspaces(espalier, count, () => userId, other);
    return {
      'list workspaces': ({ workspaces }) => workspaces.list(),
      'disable the user': (_, operator) => operator.users.update({ userId, disabled: true }),
    };
  },
  async statuses(espalier, userId, count) {
    await espalier.operator.quotas.update({ statuses: null });
    const { id: workspaceId } = await espalier.as(userId).workspaces.create({ name: 'Acme' });
    const { id: boardId } = await espalier.as(userId).boards.create({ workspaceId, name: 'Board' });
    const at = { workspaceId, boardId };
    await espalier.store.write(async (tx) => {
      const statuses = Array.from({ length: count }, (_, n) => status({ name: `s${n}`, orderKey: n }));
      await tx.boards.replace({ ...(await tx.boards.get(workspaceId, boardId))!, statuses });
    });
    return {
      'read a board': ({ boards }) => boards.get(at),
      'create a status': ({ statuses }) => statuses.create({ ...at, name: 'another' }),
      'create a task': ({ tasks }) => tasks.create({ ...at, title: 'Task' }),
      'list tasks by position': ({ tasks }) => tasks.list({ workspaceId, boardId: [boardId], sort: ['position'] }),
    };
  },
  async workspaces(espalier, _userId, count) {
    const people = Array.from({ length: 100 }, newId);
    await withWorkspaces(espalier, count, (i) => people[i % people.length]!);
    return {
      'list own workspaces': ({ workspaces }) => workspaces.list(),
      'create a workspace': ({ workspaces }) => workspaces.create({ name: 'another' }),
    };
  },
};

/** @param other owns all of them, too */
async function withWorkspaces(
  espalier: Espalier,
  count: number,
  ownerOf: (i: number) => string,
  other?: string,
): Promise<void> {
  const owners = Array.from({ length: count }, (_, i) => ownerOf(i));
  await inChunks(owners, (some) =>
    espalier.store.write(async (tx) => {
      for (const userId of some) {
        const made = workspace();
        const structure = await tx.structures.insert(made, member(made.id, { userId }));
        if (other !== undefined) {
          await tx.structures.change(structure, { members: [member(made.id, { userId: other })] });
        }
      }
    }),
  );
}

async function changed(espalier: Espalier, workspaceId: string, change: StructureChange): Promise<void> {
  await espalier.store.write(async (tx) => {
    await tx.structures.change((await tx.structures.get(workspaceId))!, change);
  });
}

async function inChunks<T>(items: readonly T[], put: (some: T[]) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < items.length; i += CHUNK) await put(items.slice(i, i + CHUNK));
}

/** In ms: all of the work, and the longest time in which nothing else ran. */
async function timed(work: () => Promise<unknown>): Promise<{ readonly took: number; readonly longest: number }> {
  let [longest, last, isOver] = [0, performance.now(), false];
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return { took, longest };
}
