import { assert } from 'chai';
import type { Document } from 'mongodb';
import { TASK_SORTS } from '../../../../core/task/list/sort.ts';
import { newChange, newId } from '../../../contract/records.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { mongodbUrl, rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';
import { type Watched, watchedService } from './commands.ts';
import { documentsExamined } from './examined.ts';

describe('queries', function () {
  this.timeout(60_000);
  let service: Watched;

  before(async function () {
    await mongodbUrl(this);
    service = await watchedService('explain');
  });

  after(() => service?.store.close());

  it('all use an index', async () => {
    await everything(service);
    const db = await rawDatabase('explain');
    const kinds = new Set<string>();
    for (const { command } of service.sent()) {
      for (const query of explainable(command)) {
        kinds.add(JSON.stringify(query, (key, value: unknown) => (key === '$eq' || key === '_id' ? 0 : value)));
        const plan = await db.command({ explain: query, verbosity: 'queryPlanner' });
        assert(!JSON.stringify(plan).includes('"COLLSCAN"'), JSON.stringify(query));
      }
    }
    assert(kinds.size > 60, `only ${kinds.size} kinds of queries were seen`);
  });

  it('a list by position or by update reads little more than it gives', async () => {
    const operator = { caller: { kind: 'operator' } } as const;
    const { id: userId } = await service.engine.users.create(operator, { name: 'Eve', email: 'eve@example.org' });
    const eve = service.as(userId);
    const { id: workspaceId } = await eve.workspaces.create({ name: 'Long' });
    const { id: boardId } = await eve.boards.create({ workspaceId, name: 'Long' });
    for (const name of ['One', 'Two', 'Three']) await eve.statuses.create({ workspaceId, boardId, name });
    const { statuses } = await eve.boards.get({ workspaceId, boardId });
    const tasks = Array.from({ length: 600 }, (_, i) => ({ boardId, title: 'T', statusId: statuses[i % 3]!.id }));
    await eve.tasks.createMany({ workspaceId, tasks });
    const list = { workspaceId, boardId: [boardId], sort: ['position'], limit: 10 } as const;
    const { next } = await eve.tasks.list(list);
    const examined = await documentsExamined('explain', async () => {
      await eve.tasks.list({ ...list, cursor: next! });
      await eve.tasks.list({ ...list, sort: ['-position'] });
      for (const sort of ['updatedAt', '-updatedAt'] as const)
        await eve.tasks.list({ workspaceId, sort: [sort], limit: 10 });
    });
    assert(examined.length >= 2 && Math.max(...examined) < 50, `${String(examined)} documents were read`);
  });

  it('a list by indexed metadata reads little more than it gives', async () => {
    const operator = { caller: { kind: 'operator' } } as const;
    const { id: userId } = await service.engine.users.create(operator, { name: 'Fay', email: 'fay@example.org' });
    const fay = service.as(userId);
    const { id: workspaceId } = await fay.workspaces.create({ name: 'Indexed' });
    const { id: boardId } = await fay.boards.create({ workspaceId, name: 'Indexed' });
    await fay.statuses.create({ workspaceId, boardId, name: 'One' });
    const tasks = Array.from({ length: 600 }, (_, i) => ({ boardId, title: 'T', metadata: { sprint: i % 100 } }));
    await fay.tasks.createMany({ workspaceId, tasks });
    await fay.workspaces.update({ workspaceId, indexedMetadata: ['sprint'] });
    await finishJobs(service.ports);
    const examined = await documentsExamined('explain', async () => {
      const { items, total } = await fay.tasks.list({ workspaceId, metadata: { sprint: ['7', '8'] }, count: true });
      assert(items.length === 12 && total === 12);
    });
    assert(examined.length >= 1 && Math.max(...examined) < 30, `${String(examined)} documents were read`);
  });

  it('a list of blocked tasks reads little more than those that are linked so', async () => {
    const operator = { caller: { kind: 'operator' } } as const;
    const { id: userId } = await service.engine.users.create(operator, { name: 'Gil', email: 'gil@example.org' });
    const gil = service.as(userId);
    const { id: workspaceId } = await gil.workspaces.create({ name: 'Blocked' });
    const { id: boardId } = await gil.boards.create({ workspaceId, name: 'Blocked' });
    await gil.statuses.create({ workspaceId, boardId, name: 'One' });
    const tasks = Array.from({ length: 600 }, () => ({ boardId, title: 'T' }));
    const made = await gil.tasks.createMany({ workspaceId, tasks });
    for (const { id: taskId } of made.slice(300, 310)) {
      await gil.tasks.link({ workspaceId, fromTaskId: made[0]!.id, type: 'blocks', taskId });
    }
    const examined = await documentsExamined('explain', async () => {
      for (const more of [{}, { boardId: [boardId] }, { complete: false }]) {
        const { items, total } = await gil.tasks.list({ workspaceId, blocked: true, count: true, ...more });
        assert(items.length === 10 && total === 10);
      }
    });
    assert(examined.length >= 3 && Math.max(...examined) < 30, `${String(examined)} documents were read`);
  });

  it('a history reads little more than it gives, in a log with as many entries of another as without', async () => {
    const { store } = service;
    const [workspaceId, busy, rare] = [newId(), newId(), newId()];
    const entry = { verb: 'update', changes: '[]' } as const;
    const add = (recordId: string, count: number) =>
      store.write(async (tx) => {
        await tx.changeLog.append(
          workspaceId,
          Array.from({ length: count }, () => newChange({ recordId, entry })),
        );
      });
    for (const _ of [1, 2]) {
      await add(rare, 5);
      await add(busy, 400);
    }
    for (const [recordId, most] of [
      [busy, 100],
      [rare, 10],
    ] as const) {
      const of = { workspaceId, kind: 'task', recordId } as const;
      const examined = await documentsExamined('explain', async () => {
        for (const _ of [1, 2, 3]) {
          await store.read(async (tx) => {
            assert((await tx.changeLog.historyOf(of, null, 100)).length === most);
            await tx.changeLog.isTruncated(of);
          });
        }
      });
      assert(examined.length === 6 && Math.max(...examined) === most, `${String(examined)} documents were read`);
    }
  });

  it('a part of the workspaces of a user reads little more than it gives', async () => {
    const operator = { caller: { kind: 'operator' } } as const;
    const { id: userId } = await service.engine.users.create(operator, { name: 'Cy', email: 'cy@example.org' });
    const cy = service.as(userId);
    for (let n = 0; n < 60; n += 1) await cy.workspaces.create({ name: `W${n}` });
    const examined = await documentsExamined('explain', async () => {
      await service.store.read(async (tx) => {
        const [first] = await tx.structures.ofUser(userId, { limit: 2 });
        await tx.structures.ofUser(userId, { after: first!.workspace.id, limit: 2 });
        await tx.structures.ownedBy(userId, { limit: 2 });
      });
      await service.store.write((tx) => tx.structures.countOfUser(userId, 2));
    });
    assert(examined.length >= 4 && Math.max(...examined) < 10, `${String(examined)} documents were read`);
  });

  it('a collection scan would be noticed', async () => {
    const db = await rawDatabase('explain');
    const plan = await db.command({ explain: { find: 'tasks', filter: { title: 'x' } }, verbosity: 'queryPlanner' });
    assert(JSON.stringify(plan).includes('"COLLSCAN"'));
  });
});

/** What can be explained of a command: its queries, each by itself. */
function explainable(command: Document): Document[] {
  const { find, aggregate, findAndModify, update, delete: remove } = command;
  if (find !== undefined) return [pick(command, ['find', 'filter', 'sort', 'limit', 'projection'])];
  if (aggregate !== undefined) return [{ ...pick(command, ['aggregate', 'pipeline']), cursor: {} }];
  if (findAndModify !== undefined) return [pick(command, ['findAndModify', 'query', 'update'])];
  if (update !== undefined) return (command['updates'] as Document[]).map((one) => ({ update, updates: [one] }));
  if (remove !== undefined)
    return (command['deletes'] as Document[]).map((one) => ({ delete: remove, deletes: [one] }));
  return [];
}

function pick(command: Document, names: readonly string[]): Document {
  return Object.fromEntries(names.filter((name) => name in command).map((name) => [name, command[name]]));
}

/** Calls that send every kind of query there is. */
async function everything({ engine, ports, store, as }: Watched): Promise<void> {
  const operator = { caller: { kind: 'operator' } } as const;
  const { id: userId } = await engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
  const { id: bobId } = await engine.users.create(operator, { name: 'Bob', email: 'bob@example.org' });
  await engine.users.update(operator, { userId, administrator: true });
  await engine.users.update(operator, { userId: bobId, administrator: true });
  await engine.users.update(operator, { userId: bobId, administrator: false });
  await engine.users.list(operator, {});
  const { id: tokenId, token } = await engine.tokens.createFor(operator, { userId, name: 'laptop' });
  const call = { caller: { kind: 'token', hash: `hash of ${token}` } } as const;
  const [ada, bob] = [as(userId), as(bobId)];
  await ada.tokens.list({});
  const told = { issuer: 'https://issuer.example.org', subject: 'ada', name: 'Ada' };
  const outside = { caller: { kind: 'external', ...told, verifiedEmail: 'ada@example.org', links: true } } as const;
  await engine.me.get(outside);
  await engine.me.update(outside, { phone: '1' });
  const { id: workspaceId, memberId } = await ada.workspaces.create({ name: 'Acme' });
  await ada.workspaces.list();
  const invitation = await ada.invitations.create({ workspaceId });
  await ada.invitations.create({ workspaceId });
  const { next: cursor } = await ada.invitations.list({ workspaceId, limit: 1 });
  await ada.invitations.list({ workspaceId, cursor: cursor! });
  const { id: bobs } = await bob.invitations.join({ invitationId: invitation.id });
  const parent = await ada.pages.create({ workspaceId, name: 'Folder', type: 'folder' });
  const board = await ada.boards.create({ workspaceId, name: 'Kanban', parentId: parent.id, externalId: 'B' });
  const at = { workspaceId, boardId: board.id };
  const open = await ada.statuses.create({ ...at, name: 'Open' });
  const next = await ada.statuses.create({ ...at, name: 'Next' });
  const tag = await ada.tags.create({ ...at, name: 'red' });
  const draft = { ...at, title: 'T', externalId: 'T', tags: [tag.id], assignees: [bobs] };
  const task = await engine.tasks.create(call, draft);
  const paged = await ada.pages.create({ workspaceId, name: 'Task', type: 'task', parentId: board.id });
  await ada.tasks.update({ workspaceId, taskId: paged.id, statusId: next.id, statusOrderKey: 0 });
  await ada.tasks.update({ workspaceId, taskId: task.id, statusId: next.id, beforeTaskId: paged.id });
  const comment = await ada.comments.create({ workspaceId, taskId: task.id, content: 'Yes.', externalId: 'C' });
  await ada.comments.update({ workspaceId, taskId: task.id, commentId: comment.id, content: 'No.' });
  await ada.tasks.get({ workspaceId, taskId: task.id });
  await ada.tasks.link({ workspaceId, fromTaskId: task.id, type: 'blocks', taskId: paged.id });
  await ada.tasks.link({ workspaceId, fromTaskId: task.id, type: 'parent', taskId: paged.id });
  const filters = [
    { num: [1, 2] },
    { boardId: [board.id] },
    { statusId: [open.id, next.id] },
    { assigneeId: ['me', 'none'] },
    { tagId: [tag.id, 'none'] },
    { createdById: [memberId] },
    { priority: [0] },
    { complete: false },
    { externalId: ['T'] },
    { startFrom: '2026-01-01', endTo: '2026-12-31' },
    { overdue: true },
    { updatedSince: '2026-01-01T00:00:00.000Z' },
    { q: 't' },
    { blocked: true },
    { excludeBlocked: true },
    { parentTaskId: ['none', task.id], excludeLinkedTo: [task.id] },
    { metadata: { sprint: ['1'], team: ['a'] } },
    { excludeMetadata: { sprint: ['1'] }, noMetadata: ['team'] },
    { excludeTagId: [tag.id], excludeStatusId: [open.id], excludeQ: 'zzz' },
  ];
  await ada.workspaces.update({ workspaceId, indexedMetadata: ['sprint'] });
  await finishJobs(ports);
  await ada.access.grant({ workspaceId, pageId: paged.id, memberId: bobs, access: 100 });
  await ada.access.grant({ workspaceId, pageId: parent.id, memberId: bobs, access: 0 });
  for (const person of [ada, bob]) {
    for (const filter of filters) await person.tasks.list({ workspaceId, ...filter, count: true });
    for (const sort of TASK_SORTS) {
      const { next: cursor } = await person.tasks.list({ workspaceId, sort: [sort], limit: 1 });
      if (cursor !== null) await person.tasks.list({ workspaceId, sort: [sort], limit: 1, cursor });
    }
    await person.boards.list({ workspaceId });
    await person.members.list({ workspaceId });
  }
  await ada.boards.get(at);
  await ada.access.members({ workspaceId, pageId: parent.id });
  await ada.audit.list({ workspaceId });
  await store.read((tx) => tx.changes.list('ofWorkspace', { workspaceId }, { limit: 10 }));
  await store.read((tx) => tx.changeLog.list(workspaceId, 2, 10));
  await store.write((tx) => tx.changeLog.trim(workspaceId, 1, 10));
  await engine.doctor.check(operator);
  await ada.statuses.delete({ ...at, statusId: next.id, moveTo: open.id });
  await ada.tags.delete({ ...at, tagId: tag.id });
  await ada.members.remove({ workspaceId, memberId: bobs });
  await ada.comments.delete({ workspaceId, taskId: task.id, commentId: comment.id });
  await ada.tasks.delete({ workspaceId, taskId: paged.id });
  await ada.boards.delete(at);
  await ada.pages.create({ workspaceId, name: 'Below', type: 'folder', parentId: parent.id });
  await ada.pages.delete({ workspaceId, pageId: parent.id });
  await engine.users.update(operator, { userId: bobId, disabled: true });
  await finishJobs(ports);
  await ada.tokens.revoke({ tokenId });
  await ada.workspaces.delete({ workspaceId });
}
