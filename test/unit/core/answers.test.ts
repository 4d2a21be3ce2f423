import { expect } from 'chai';
import { createEspalier, type Session } from '../../../adapters/service/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';

/** Writes into all of an answer, as code without types may. Frozen parts refuse. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) spoil(part);
  for (const name of Object.keys(value)) Reflect.set(value, name, 'spoilt');
}

describe('answers', () => {
  it('are of the caller: what is written into them reaches neither the store nor other answers', async () => {
    const espalier = createEspalier({ store: memoryStore() });
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const userId = user.id;
    const ada: Session = espalier.as(userId);
    const { id: workspaceId, memberId } = await ada.workspaces.create({ name: 'Acme', metadata: { plan: 'A' } });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
    const on = { workspaceId, boardId };
    await ada.statuses.create({ ...on, name: 'Todo' });
    const { id: tagId } = await ada.tags.create({ ...on, name: 'docs', color: 'red' });
    const { id: taskId } = await ada.tasks.create({ ...on, title: 'Write', tags: [tagId], assignees: [memberId] });
    await ada.comments.create({ workspaceId, taskId, content: 'Soon' });
    const expand = ['status', 'board', 'tags', 'assignees', 'createdBy'] as const;
    const reads: Readonly<Record<string, () => Promise<unknown>>> = {
      me: () => ada.me.get(),
      user: () => espalier.users.get({ userId }),
      users: () => espalier.users.list(),
      found: () => espalier.users.list({ email: 'ada@example.org' }),
      workspace: () => ada.workspaces.get({ workspaceId }),
      members: () => ada.members.list({ workspaceId }),
      pages: () => ada.pages.list({ workspaceId }),
      access: () => ada.access.members({ workspaceId, pageId: boardId }),
      board: () => ada.boards.get(on),
      task: () => ada.tasks.get({ workspaceId, taskId, expand }),
      tasks: () => ada.tasks.list({ workspaceId, expand }),
      history: () => ada.tasks.history({ workspaceId, taskId }),
      quotas: () => espalier.operator.quotas.get(),
    };
    const before = new Map<string, unknown>();
    for (const [name, get] of Object.entries(reads)) before.set(name, structuredClone(await get()));
    spoil(user);
    spoil(await espalier.users.update({ userId, name: 'Ada' }));
    spoil(await ada.me.update({ name: 'Ada' }));
    for (const get of Object.values(reads)) spoil(await get());
    for (const [name, get] of Object.entries(reads)) expect(await get(), name).to.deep.equal(before.get(name));
    await espalier.close();
  });
});
