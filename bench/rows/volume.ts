import { createEspalier, openStore, type Espalier } from '../../adapters/service/index.ts';
import { mongodbStore } from '../../adapters/store-mongodb/index.ts';
import { pageEntry } from '../../core/model/access/page-entry.ts';
import type { Page } from '../../core/model/workspace/page.ts';
import type { StructureChange } from '../../core/model/workspace/structure.ts';
import { member, newId, page, status, workspace } from '../../test/contract/records.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { type Scale, sizesOn } from '../scale.ts';
import { freshPlace, type Place, type StoreName } from '../stores.ts';

/**
 * Far more of one kind than the quotas of an open service let anybody have: how long one call holds up the others. A
 * part for each kind, as the largest take minutes to put in.
 */
export function volumeParts(store: StoreName): Part[] {
  return (Object.keys(VOLUMES) as Kind[]).map((kind) => ({
    name: `volume-${store.toLowerCase()}-${kind}`,
    run: (scale) => volumeRows(store, kind, sizesOn(store, scale).volume[kind]),
  }));
}

type Kind = keyof Scale['volume'];

async function volumeRows(store: StoreName, kind: Kind, count: number): Promise<Row[]> {
  const place = await freshPlace(store);
  if (place === null) return [];
  let espalier = await opened(place);
  const ada = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
  const calls = await VOLUMES[kind](espalier, ada.id, count);
  if (store !== 'memory') {
    await espalier.close();
    espalier = await opened(place);
  }
  const rows: Row[] = [];
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
  return rows;
}

async function opened({ url, dbName }: Place): Promise<Espalier> {
  return createEspalier({ store: dbName === undefined ? await openStore(url) : mongodbStore({ url, dbName }) });
}

type Session = ReturnType<Espalier['as']>;
type Calls = Readonly<Record<string, (session: Session, operator: Session) => Promise<unknown>>>;

const CHUNK = 1_000;

/** What is put into a store of each kind, and what is then called. */
const VOLUMES: Readonly<Record<Kind, (espalier: Espalier, userId: string, count: number) => Promise<Calls>>> = {
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
    await espalier.operator.quotas.update({ pageEntries: null });
    const { id: workspaceId, memberId } = await espalier.as(userId).workspaces.create({ name: 'Acme' });
    const members = Array.from({ length: count }, () => member(workspaceId, { role: 20 }));
    await inChunks(members, (some) => changed(espalier, workspaceId, { members: some }));
    const entries = Object.fromEntries(members.map(({ id }) => [id, pageEntry(200, 1)]));
    const filled = page(workspaceId, { name: 'p', createdById: memberId, entries });
    await changed(espalier, workspaceId, { pages: [filled] });
    const at = { workspaceId, pageId: filled.id };
    const one = { ...at, memberId: members[0]!.id };
    return {
      'read a page': ({ pages }) => pages.get(at),
      'read a page again': ({ pages }) => pages.get(at),
      'grant access': ({ access }) => access.grant({ ...at, memberId: members[0]!.id, access: 300 }),
      'revoke access': ({ access }) => access.revoke(one),
      'rename a page': ({ pages }) => pages.update({ ...at, name: 'q' }),
      'list pages': ({ pages }) => pages.list({ workspaceId }),
      'list members': ({ members: all }) => all.list({ workspaceId }),
      'list members of a page': ({ access }) => access.members(at),
      'explain access': ({ access }) => access.explain({ ...at, memberId: members[1]!.id }),
      'audit access': ({ access }) => access.audit({ workspaceId }),
      'change a role': ({ members: all }) => all.update({ workspaceId, memberId: members[2]!.id, role: 10 }),
      'remove a member': ({ members: all }) => all.remove({ workspaceId, memberId: members[3]!.id }),
      'delete a page': ({ pages }) => pages.delete(at),
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
    const made = Array.from({ length: count }, (_, n) => status({ name: `s${n}`, orderKey: n }));
    await espalier.store.write(async (tx) => {
      await tx.boards.replace({ ...(await tx.boards.get(workspaceId, boardId))!, statuses: made });
    });
    return {
      'read a board': ({ boards }) => boards.get(at),
      'create a status': ({ statuses }) => statuses.create({ ...at, name: 'another' }),
      'create a task': ({ tasks }) => tasks.create({ ...at, title: 'Task' }),
      'update a status': ({ statuses }) => statuses.update({ ...at, statusId: made[5]!.id, name: 'renamed' }),
      'delete a status': ({ statuses }) => statuses.delete({ ...at, statusId: made[6]!.id }),
      'list tasks by position': ({ tasks }) => tasks.list({ workspaceId, boardId: [boardId], sort: ['position'] }),
    };
  },
  async workspaces(espalier, _userId, count) {
    const people = Array.from({ length: 100 }, newId);
    await withWorkspaces(espalier, count, (i) => people[i % people.length]!);
    return {
      'list own workspaces': ({ workspaces }) => workspaces.list(),
      'create a workspace': ({ workspaces }) => workspaces.create({ name: 'another' }),
      'check the store': (_, operator) => operator.doctor.check(),
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
