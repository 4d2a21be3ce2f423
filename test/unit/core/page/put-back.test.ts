import { expect } from 'chai';
import { createEspalier, EspalierError } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';

describe('a record that is put back', () => {
  async function open() {
    const espalier = createEspalier({ store: memoryStore() });
    const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
    const { id: statusId } = await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'Task' });
    await ada.comments.create({ workspaceId, taskId, content: 'One' });
    const board = () => ada.boards.get({ workspaceId, boardId });
    return {
      ada,
      at: { workspaceId, taskId },
      onBoard: { workspaceId, boardId },
      onStatus: { workspaceId, boardId, statusId },
      task: () => ada.tasks.get({ workspaceId, taskId }),
      summary: async () => (await ada.tasks.list({ workspaceId })).items[0]!,
      board,
      status: async () => (await board()).statuses[0]!,
    };
  }

  /** What a caller sends is JSON of any shape, which the schemas of the service judge. */
  const any = (record: object): never => record as never;

  async function pointersOf(promise: Promise<unknown>): Promise<readonly string[]> {
    try {
      await promise;
    } catch (error) {
      expect(error).to.be.instanceOf(EspalierError).with.property('code', 'invalid-input');
      return (error as EspalierError).errors.map(({ pointer }) => pointer);
    }
    return [];
  }

  it('may be one of the task list', async () => {
    const { ada, at, summary } = await open();
    const record = await summary();
    expect(record).to.have.property('commentCount', 1);
    const same = await ada.tasks.update(any({ ...record, ...at }));
    expect(same.version).to.equal(record.version);
    const changed = await ada.tasks.update(any({ ...record, ...at, title: 'Other' }));
    expect([changed.title, changed.version]).to.deep.equal(['Other', record.version + 1]);
    expect(await pointersOf(ada.tasks.update(any({ ...at, commentCount: 7 })))).to.deep.equal(['/commentCount']);
  });

  it('may be older than what others have added to it, as long as its version is the one there is', async () => {
    const { ada, at, onBoard, onStatus, task, summary, board, status } = await open();
    const [whole, listed] = [await task(), await summary()];
    await ada.comments.create({ ...at, content: 'Two' });
    for (const record of [whole, listed]) {
      const put = await ada.tasks.update(any({ ...record, ...at }));
      expect([put.version, put.comments.length]).to.deep.equal([whole.version, 2]);
    }
    const withoutVersion = any({ ...at, comments: whole.comments });
    expect(await pointersOf(ada.tasks.update(withoutVersion))).to.deep.equal(['/comments']);

    const [wholeBoard, column] = [await board(), await status()];
    await ada.tasks.create({ ...onBoard, title: 'More' });
    expect((await ada.boards.update(any({ ...wholeBoard, ...onBoard, name: 'New' }))).statuses[0]!.taskCount).to.equal(
      2,
    );
    const renamed = await ada.statuses.update(any({ ...column, ...onStatus, name: 'Open' }));
    expect([renamed.name, renamed.taskCount]).to.deep.equal(['Open', 2]);
  });

  it('is refused once it has been changed itself', async () => {
    const { ada, at, onStatus, summary, status } = await open();
    const [record, column] = [await summary(), await status()];
    await ada.tasks.update({ ...at, title: 'Other' });
    expect(await pointersOf(ada.tasks.update(any({ ...record, ...at, commentCount: 7 })))).to.include('/version');
    await ada.statuses.update({ ...onStatus, name: 'Open' });
    expect(await pointersOf(ada.statuses.update(any({ ...column, ...onStatus })))).to.include('/version');
  });
});
