import { expect } from 'chai';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { overBoth } from '../support.ts';

/** What is read again without a change is kept: here everything changes that an answer is made of. */
overBoth('a task that is read again', (open) => {
  it('is told as it is now, to each reader as they see it', async () => {
    const api = await open();
    const { ada: owner, bob, ids } = await newSampleWorkspace(api);
    const { workspaceId, boardId } = ids;
    const at = { workspaceId };
    const ada = api.espalier.as(owner);
    const { id: taskId } = await ada.tasks.create({ ...at, boardId, title: 'Plain', assignees: [bob.memberId] });
    const path = `/api/workspace/${workspaceId}/task/${taskId}`;
    let last = '';
    const readTwice = async (token: string) => {
      const answers = [await api.ask({ method: 'GET', path, token }), await api.ask({ method: 'GET', path, token })];
      const [first, again] = answers.map(({ text, headers }) => ({ text, etag: headers.get('etag') }));
      expect(again).to.deep.equal(first);
      last = first!.etag!;
      const headers = { 'if-none-match': last };
      expect((await api.ask({ method: 'GET', path, token, headers })).status).to.equal(304);
      return answers[1]!.json as Readonly<Record<string, unknown>>;
    };
    const tags = new Set<string>();
    const expectNow = async (told: object, token = owner.token) => {
      expect(await readTwice(token)).to.include(told);
      tags.add(last);
    };

    await expectNow({ title: 'Plain', pageId: null, version: 1 });
    expect((await readTwice(bob.token))['assignees']).to.deep.equal([bob.memberId]);
    await ada.tasks.update({ ...at, taskId, title: 'Renamed' });
    await expectNow({ title: 'Renamed', version: 2 });
    const { id: commentId } = await ada.comments.create({ ...at, taskId, content: 'Look' });
    expect((await readTwice(owner.token))['comments']).to.have.length(1);
    await ada.comments.delete({ ...at, taskId, commentId });
    expect((await readTwice(owner.token))['comments']).to.deep.equal([]);
    await ada.pages.create({ ...at, name: 'Own', type: 'task', taskId });
    await expectNow({ pageId: taskId });
    await ada.access.grant({ ...at, pageId: taskId, memberId: bob.memberId, access: 300 });
    await ada.access.grant({ ...at, pageId: boardId, memberId: bob.memberId, access: 0 });
    await expectNow({ boardHidden: true, boardId: null }, bob.token);
    await expectNow({ boardHidden: false, boardId });
    await ada.members.remove({ ...at, memberId: bob.memberId });
    expect((await readTwice(owner.token))['assignees']).to.deep.equal([]);
    // With and without the board, and with each change of the task and of its page.
    expect(tags.size).to.equal(4);
  });
});
