import { expect } from 'chai';
import { behaviour, fails, NOTHING, type Behaviour } from './behaviour.ts';

export const PAGE_BEHAVIOURS: readonly Behaviour[] = [
  behaviour('pages are made, moved and deleted with what is under them', async (start) => {
    const { workspaceId, folderId, boardId } = start;
    const { ada, cleo } = start.people;
    const { id: pageId } = await ada.pages.create({ workspaceId, name: 'Sub', type: 'folder', parentId: folderId });
    expect(await ada.pages.get({ workspaceId, pageId })).to.include({ parentId: folderId });
    expect(await ada.pages.update({ workspaceId, pageId, name: 'Attic', orderIndex: 0 })).to.include({ name: 'Attic' });
    await fails('page-cycle', ada.pages.update({ workspaceId, pageId: folderId, parentId: pageId }));
    await fails('invalid-input', ada.pages.create({ workspaceId, name: 'X', type: 'wiki' as never }));
    await fails('not-found', cleo.pages.get({ workspaceId, pageId }));
    expect(await cleo.pages.list({ workspaceId })).to.deep.equal([]);
    await ada.pages.delete({ workspaceId, pageId: folderId });
    await fails('not-found', ada.pages.delete({ workspaceId, pageId: folderId }));
    await fails('not-found', ada.boards.get({ workspaceId, boardId }));
    await fails('not-found', ada.pages.list({ workspaceId: NOTHING }));
  }),
  behaviour('access is inherited, set, explained and previewed', async (start) => {
    const { workspaceId, folderId, boardId, members } = start;
    const { ada, ben, cleo } = start.people;
    const on = { workspaceId, pageId: boardId };
    await fails('not-found', ben.access.settings({ workspaceId, pageId: NOTHING }));
    expect(
      await ada.access.changeSettings({ workspaceId, pageId: folderId, inherit: false, defaultAccess: 100 }),
    ).to.include({
      inherit: false,
    });
    expect(await ada.access.settings(on)).to.include({ inherit: true, inheritedFrom: folderId });
    await fails('forbidden', ben.access.changeSettings({ ...on, inherit: true }));
    expect(await ada.access.grant({ ...on, memberId: members.cleo, access: 200 })).to.include({ access: 200 });
    await fails('forbidden', ben.access.grant({ ...on, memberId: members.ben, access: 400 }));
    await fails('owner-access', ada.access.grant({ ...on, memberId: members.ada, access: 0 }));
    expect((await ada.access.members(on)).map(({ access }) => access)).to.have.members([400, 100, 200]);
    expect(await cleo.access.members(on)).to.have.length(1);
    expect(await cleo.access.explain(on)).to.include({ access: 200 });
    await fails('forbidden', ben.access.explain({ ...on, memberId: members.cleo }));
    const audited = await cleo.access.audit({ workspaceId });
    expect(audited.items.map(({ memberId }) => memberId)).to.deep.equal([members.cleo]);
    await fails('not-found', ada.access.audit({ workspaceId: NOTHING }));
    const { changes } = await ada.access.preview({ ...on, parentId: null });
    expect(changes).to.deep.equal([{ memberId: members.ben, role: 20, before: 100, after: 300 }]);
    await fails('forbidden', ben.access.preview({ ...on, parentId: null }));
    await ada.access.revoke({ ...on, memberId: members.cleo });
    await fails('not-found', ada.access.revoke({ ...on, memberId: members.cleo }));
    await fails('not-found', cleo.access.members(on));
  }),
  behaviour('boards keep columns and tags', async (start) => {
    const { workspaceId, boardId, todo, done, tagId } = start;
    const { ada, cleo } = start.people;
    const on = { workspaceId, boardId };
    expect(await ada.boards.list({ workspaceId })).to.have.length(1);
    expect((await ada.boards.get(on)).statuses.map(({ name }) => name)).to.deep.equal(['Todo', 'Done']);
    expect(await ada.boards.update({ ...on, description: 'What we build', externalId: 'B' })).to.include({
      externalId: 'B',
    });
    await fails('external-id-taken', ada.boards.create({ workspaceId, name: 'Twin', externalId: 'B' }));
    await fails('not-found', cleo.boards.update({ ...on, name: 'Mine' }));
    expect(await ada.statuses.update({ ...on, statusId: todo, name: 'To do' })).to.include({ name: 'To do' });
    await fails('not-found', ada.statuses.update({ ...on, statusId: NOTHING, name: 'X' }));
    await fails('invalid-input', ada.statuses.create({ ...on, name: ' ' }));
    await ada.tasks.create({ ...on, title: 'One', tags: [tagId] });
    await fails('status-not-empty', ada.statuses.delete({ ...on, statusId: todo }));
    await ada.statuses.delete({ ...on, statusId: todo, moveTo: done });
    expect(await ada.tags.update({ ...on, tagId, color: '#DC143C' })).to.include({ color: '#dc143c' });
    await fails('tag-name-taken', ada.tags.create({ ...on, name: 'BUG' }));
    await fails('invalid-input', ada.tags.update({ ...on, tagId, color: 'nocolour' }));
    await ada.tags.delete({ ...on, tagId });
    await fails('not-found', ada.tags.delete({ ...on, tagId }));
    await ada.boards.delete(on);
    await fails('not-found', ada.boards.delete(on));
    await fails('not-found', ada.boards.list({ workspaceId: NOTHING }));
  }),
  behaviour(
    'what changes who may do what is told to administrators',
    async ({ people, workspaceId, boardId, members }) => {
      const { ada, ben } = people;
      await ada.access.grant({ workspaceId, pageId: boardId, memberId: members.cleo, access: 100 });
      const { items, next } = await ada.audit.list({ workspaceId, limit: 1 });
      expect(items[0]).to.include({ recordId: boardId });
      expect((await ada.audit.list({ workspaceId, limit: 500, cursor: next! })).next).to.equal(null);
      await fails('forbidden', ben.audit.list({ workspaceId }));
    },
  ),
  behaviour(
    'what was deleted is in the trash, and comes back',
    async ({ people: { ada, ben }, workspaceId, boardId }) => {
      const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'One' });
      await ada.tasks.delete({ workspaceId, taskId });
      const [item] = (await ada.trash.list({ workspaceId })).items;
      const at = { workspaceId, trashId: item!.id };
      await ada.trash.restore(at);
      expect(await ada.tasks.get({ workspaceId, taskId })).to.include({ title: 'One' });
      await ada.tasks.delete({ workspaceId, taskId });
      const [again] = (await ada.trash.list({ workspaceId })).items;
      await ada.trash.delete({ workspaceId, trashId: again!.id });
      await fails('not-found', ada.trash.restore({ workspaceId, trashId: again!.id }));
      await fails('not-found', ben.trash.delete({ workspaceId, trashId: again!.id }));
      await fails('not-found', ben.trash.list({ workspaceId: NOTHING }));
    },
  ),
  behaviour('what changes is told to those who see it', async ({ people, workspaceId, boardId }) => {
    const { ada, cleo } = people;
    let since = '';
    await ada.tasks.list({ workspaceId, limit: 1 }, { onCursor: (cursor) => void (since = cursor) });
    expect(await ada.changes.list({ workspaceId, since })).to.deep.equal({ items: [], cursor: since, next: null });
    const tasks = await ada.tasks.createMany({
      tasks: ['One', 'Two'].map((title) => ({ title, boardId })),
      workspaceId,
    });
    const { items, cursor, next } = await ada.changes.list({ workspaceId, since, limit: 1, include: ['record'] });
    expect(items.map(({ type, id }) => [type, id])).to.deep.equal([['task.create', tasks[0]!.id]]);
    expect(items[0]!.record).to.include({ title: 'One', boardId });
    expect(next).to.equal(cursor);
    const rest = await ada.changes.list({ workspaceId, since: cursor, kind: ['task'], boardId: [boardId] });
    expect(rest.items.map(({ id }) => id)).to.deep.equal([tasks[1]!.id]);
    const wait = { workspaceId, since: rest.cursor, wait: 60 };
    const waiting = ada.changes.list(wait);
    const later = await ada.tasks.create({ workspaceId, boardId, title: 'Later' });
    expect((await waiting).items.map(({ id }) => id)).to.deep.equal([later.id]);
    const ended = AbortSignal.abort(new Error('ended'));
    const { cursor: now } = await waiting;
    const refused = await ada.changes.list({ ...wait, since: now }, { signal: ended }).catch((error: unknown) => error);
    expect(refused).to.equal(ended.reason);
    expect((await ada.changes.list({ workspaceId, since, kind: [] })).items).to.deep.equal([]);
    expect((await cleo.changes.list({ workspaceId, since })).items).to.deep.equal([]);
    await fails('invalid-input', ada.changes.list({ workspaceId, since: 'x' }));
    await fails(
      'cursor-expired',
      ada.changes.list({ workspaceId, since: since.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')) }),
    );
    await fails('not-found', ada.changes.list({ workspaceId: NOTHING, since }));
  }),
  behaviour(
    'boards and pages are copied as their reader sees them',
    async ({ people, workspaceId, folderId, boardId }) => {
      const { ada, cleo } = people;
      await ada.tasks.create({ workspaceId, boardId, title: 'One' });
      const { board, restricted } = await ada.boards.copy({ workspaceId, boardId, name: 'Copy', tasks: true });
      expect([board?.name, restricted]).to.deep.equal(['Copy', 0]);
      expect(
        (await ada.tasks.list({ workspaceId, boardId: [board!.id] })).items.map(({ title }) => title),
      ).to.deep.equal(['One']);
      const { page } = await ada.pages.copy({ workspaceId, pageId: folderId, name: 'Again' });
      expect(page).to.include({ name: 'Again', type: 'folder' });
      await fails('not-found', cleo.boards.copy({ workspaceId, boardId }));
      await fails('not-found', cleo.pages.copy({ workspaceId, pageId: folderId }));
    },
  ),
  behaviour(
    'pages, boards and tasks tell what was changed',
    async ({ people, workspaceId, folderId, boardId, todo, done }) => {
      const { ada, cleo } = people;
      const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'One', statusId: todo });
      await ada.tasks.update({ workspaceId, taskId, statusId: done });
      await ada.boards.update({ workspaceId, boardId, description: 'What we build' });
      await ada.pages.update({ workspaceId, pageId: folderId, name: 'Attic' });
      const newest = async (history: Promise<{ items: readonly { changes: readonly { field: string | null }[] }[] }>) =>
        (await history).items[0]!.changes.map(({ field }) => field);
      expect(await newest(ada.tasks.history({ workspaceId, taskId }))).to.include('statusId');
      expect(await newest(ada.boards.history({ workspaceId, boardId }))).to.include('description');
      expect(await newest(ada.pages.history({ workspaceId, pageId: folderId }))).to.include('name');
      await fails('not-found', cleo.tasks.history({ workspaceId, taskId }));
      await fails('not-found', cleo.boards.history({ workspaceId, boardId }));
      await fails('not-found', cleo.pages.history({ workspaceId, pageId: folderId }));
    },
  ),
  behaviour('what was deleted is restored by those who could delete it', async ({ people, workspaceId }) => {
    const { ada, ben } = people;
    const { id: trashId } = await ada.pages.create({ workspaceId, name: 'Old', type: 'folder' });
    await ada.access.changeSettings({ workspaceId, pageId: trashId, inherit: false, defaultAccess: 100 });
    await ada.pages.delete({ workspaceId, pageId: trashId });
    const [item] = (await ada.trash.list({ workspaceId, expand: ['deletedBy'] })).items;
    expect(item).to.deep.include({ id: trashId, kind: 'page', name: 'Old' });
    expect((await ben.trash.list({ workspaceId })).items).to.deep.equal([]);
    await fails('unauthenticated', people.nobody.trash.list({ workspaceId }));
    await fails('forbidden', ben.trash.restore({ workspaceId, trashId }));
    await fails('unusable-reference', ada.trash.restore({ workspaceId, trashId, parentId: NOTHING }));
    const restored = await ada.trash.restore({ workspaceId, trashId });
    expect(restored).to.deep.equal(await ada.pages.get({ workspaceId, pageId: trashId }));
    await ada.pages.delete({ workspaceId, pageId: trashId });
    await fails('forbidden', ben.trash.delete({ workspaceId, trashId }));
    await ada.trash.delete({ workspaceId, trashId });
    await fails('not-found', ada.trash.restore({ workspaceId, trashId }));
  }),
  behaviour('what changes is followed by those who see it', async ({ people, workspaceId, boardId, members }) => {
    const { ada, ben } = people;
    let since = '';
    await ada.tasks.list({ workspaceId, limit: 1 }, { onCursor: (cursor) => void (since = cursor) });
    const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'One' });
    const stop = new AbortController();
    const cursors: string[] = [];
    const told = { onCursor: (cursor: string) => void cursors.push(cursor) };
    const watched = { workspaceId, since, include: ['record'], signal: stop.signal } as const;
    const types: string[] = [];
    for await (const { type, id, record } of ada.changes.watch(watched, told)) {
      types.push(type);
      expect(id).to.equal(taskId);
      if (type === 'task.create') {
        expect(record).to.include({ title: 'One' });
        await ada.tasks.update({ workspaceId, taskId, title: 'Two' });
      } else stop.abort();
    }
    expect(types).to.deep.equal(['task.create', 'task.update']);
    expect(cursors[0]).to.equal(since);
    expect(
      (await ada.changes.list({ workspaceId, since: cursors.at(-1)! })).items.map(({ type }) => type),
    ).to.deep.equal(['task.update']);
    for await (const event of ada.changes.watch({ workspaceId, signal: AbortSignal.abort() }))
      expect(event).to.equal(null);
    const next = async (session: typeof ada, given: object) => {
      for await (const event of session.changes.watch({ workspaceId, ...given })) return event;
      return null;
    };
    expect(await next(ada, { since, kind: ['task'] })).to.include({ id: taskId });
    await ada.members.remove({ workspaceId, memberId: members.ben });
    await fails('not-found', next(ben, { since, boardId: [NOTHING] }));
    await fails('invalid-input', next(ada, { since: 'x' }));
    await fails('invalid-input', next(ada, { limit: 5 }));
    const elsewhere = since.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
    await fails('cursor-expired', next(ada, { since: elsewhere }));
    await fails('not-found', next(ada, { workspaceId: NOTHING }));
    await fails('unauthenticated', next(people.nobody, {}));
  }),
];
