import { expect } from 'chai';
import type { SnapshotItem } from '../../../core/index.ts';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import { eachOf } from '../../fixtures/each-of.ts';
import { behaviour, fails, NOTHING, type Behaviour } from './behaviour.ts';

export const TRANSFER_BEHAVIOURS: readonly Behaviour[] = [
  behaviour('boards come in from other systems, once', async ({ people: { ada, ben }, workspaceId, members }) => {
    const board = {
      workspaceId,
      memberId: members.ada,
      externalId: 'trello-1',
      name: 'Trains',
      statuses: [{ name: 'Todo' }],
      tags: [],
      tasks: [{ externalId: 'card-1', title: 'Card', status: 'Todo' }],
    };
    expect((await ada.imports.board(board)).created).to.include({ boards: 1, tasks: 1 });
    expect((await ada.imports.board(board)).created).to.include({ boards: 0, tasks: 0 });
    await fails('forbidden', ben.imports.board(board));
  }),
  behaviour('a snapshot has what one sees, and what changes follows it', async ({ people, workspaceId, boardId }) => {
    const { ada, cleo, nobody } = people;
    await ada.tasks.createMany({ workspaceId, tasks: [1, 2, 3].map((n) => ({ boardId, title: `T${n}` })) });
    const items: SnapshotItem[] = [];
    for await (const item of ada.changes.snapshot({ workspaceId })) items.push(item);
    const tasks = items.flatMap((item) => (item.kind === 'task' ? [item.record] : []));
    const listed = (await ada.tasks.list({ workspaceId })).items.map((task) => ({ ...task, links: [], checklist: [] }));
    expect(tasks).to.deep.equal(listed);
    const [head] = items;
    const since = head!.kind === 'head' ? head!.cursor : '';
    await ada.tasks.create({ workspaceId, boardId, title: 'Later' });
    expect((await ada.changes.list({ workspaceId, since })).items.map(({ type }) => type)).to.deep.equal([
      'task.create',
    ]);
    const kinds: string[] = [];
    for await (const item of cleo.changes.snapshot({ workspaceId })) kinds.push(item.kind);
    expect(kinds).to.deep.equal(['head', 'workspace', 'member']);
    for await (const _ of ada.changes.snapshot({ workspaceId })) break;
    const ended = AbortSignal.abort(new Error('ended'));
    const refused = await ada.changes
      .snapshot({ workspaceId }, { signal: ended })
      .next()
      .catch((error: unknown) => error);
    expect(refused).to.equal(ended.reason);
    await fails('unauthenticated', nobody.changes.snapshot({ workspaceId }).next());
    await fails('not-found', ada.changes.snapshot({ workspaceId: NOTHING }).next());
  }),
  behaviour('a workspace goes out and comes back in', async ({ people: { ada, ben }, idle, workspaceId, boardId }) => {
    await ada.tasks.createMany({ workspaceId, tasks: [1, 2, 3].map((n) => ({ boardId, title: `T${n}` })) });
    const records: TransferRecord[] = [];
    const sink = (record: TransferRecord) => Promise.resolve(void records.push(record));
    expect(await ada.exports.workspace({ workspaceId, sink })).to.include({ task: 3 });
    await fails('forbidden', ben.exports.workspace({ workspaceId, sink }));
    await fails('not-found', ada.exports.workspace({ workspaceId: NOTHING, sink }));
    await fails('workspace-exists', ada.imports.workspace({ records: eachOf(records) }));
    await fails('forbidden', ben.imports.workspace({ records: eachOf(records) }));
    await ada.workspaces.delete({ workspaceId });
    await idle();
    expect((await ada.imports.workspace({ records: eachOf(records) })).count).to.include({ task: 3 });
    expect((await ada.tasks.list({ workspaceId })).items).to.have.length(3);
  }),
];
