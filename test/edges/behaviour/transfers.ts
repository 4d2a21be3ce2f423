import { expect } from 'chai';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import { behaviour, fails, NOTHING, type Behaviour } from './behaviour.ts';

async function* each(records: readonly TransferRecord[]): AsyncIterableIterator<TransferRecord> {
  yield* records;
}

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
  behaviour('a workspace goes out and comes back in', async ({ people: { ada, ben }, idle, workspaceId, boardId }) => {
    await ada.tasks.createMany({ workspaceId, tasks: [1, 2, 3].map((n) => ({ boardId, title: `T${n}` })) });
    const records: TransferRecord[] = [];
    const sink = (record: TransferRecord) => Promise.resolve(void records.push(record));
    expect(await ada.exports.workspace({ workspaceId, sink })).to.include({ task: 3 });
    await fails('forbidden', ben.exports.workspace({ workspaceId, sink }));
    await fails('not-found', ada.exports.workspace({ workspaceId: NOTHING, sink }));
    await fails('workspace-exists', ada.imports.workspace({ records: each(records) }));
    await fails('forbidden', ben.imports.workspace({ records: each(records) }));
    await ada.workspaces.delete({ workspaceId });
    await idle();
    expect((await ada.imports.workspace({ records: each(records) })).count).to.include({ task: 3 });
    expect((await ada.tasks.list({ workspaceId })).items).to.have.length(3);
  }),
];
