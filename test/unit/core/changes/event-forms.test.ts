import { expect } from 'chai';
import type { ChangeEvent } from '../../../../core/index.ts';
import type { Session } from '../../../../core/session.ts';
import { createEngine } from '../../../../core/engine.ts';
import { newTeam, type BoardAt, type Team } from '../../../fixtures/world/team.ts';
import { personOf } from '../../../fixtures/world/world.ts';

describe('what access makes of events', () => {
  let team: Team;
  let board: BoardAt;

  beforeEach(async () => {
    team = await newTeam(undefined, 0);
    board = await team.board('Board');
  });

  /** What a reader is told of the acts. @param filters of what they follow */
  const told = async (reader: Session, act: () => Promise<unknown>, filters: object = {}) => {
    let since = '';
    await reader.workspaces.get(team.at, { onCursor: (now) => void (since = now) });
    await act();
    await team.world.purge();
    return (await reader.changes.list({ ...team.at, since, ...filters })).items;
  };
  const forms = (events: readonly ChangeEvent[]) => events.map(({ type, id, fields }) => [type, id, [...fields]]);
  const revoke = (pageId: string) => team.owner.access.revoke({ ...team.at, pageId, memberId: team.member.memberId });

  it('tells of another level that is above 0 by the topmost page', async () => {
    const { member, guest, grant, page } = team;
    const top = await page('Top');
    await page('Below', top);
    for (const reader of [member, guest]) await grant(top, reader, 100);
    const to = (reader: typeof member) => told(reader, () => grant(top, reader, 200));
    expect(forms(await to(guest))).to.deep.equal([['page.update', top, ['access']]]);
    // They read the entries too.
    expect(forms(await to(member))).to.deep.equal([['page.update', top, ['access', 'entries']]]);
  });

  it('tells of a page that moved that what is below it is to be read again', async () => {
    const { owner, member, at, page } = team;
    await owner.workspaces.update({ ...at, defaultAccess: 100 });
    const [top, elsewhere] = [await page('Top'), await page('Elsewhere')];
    const moved = () => owner.pages.update({ ...at, pageId: top, parentId: elsewhere });
    expect(forms(await told(member, moved))).to.deep.equal([
      ['page.update', top, ['parentId', 'access', 'orderIndex']],
    ]);
  });

  it('tells roles from Member on what others may do on a page, and guests not', async () => {
    const { owner, member, guest, admin, at, grant } = team;
    for (const reader of [member, guest]) await grant(board.id, reader, 100);
    const granted = () => grant(board.id, admin, 100);
    expect(forms(await told(member, granted))).to.deep.equal([['page.update', board.id, ['entries']]]);
    const noted = () => owner.access.changeSettings({ ...at, pageId: board.id, inherit: false, defaultAccess: 0 });
    expect(forms(await told(member, noted))).to.deep.equal([['page.update', board.id, ['settings']]]);
    const both = async () => {
      await grant(board.id, admin, 200);
      await owner.access.changeSettings({ ...at, pageId: board.id, inherit: true });
    };
    expect((await told(guest, both)).flatMap(({ fields }) => [...fields])).to.deep.equal([]);
  });

  it('tells what was in sight below the first page that it stands there, when everybody sees more', async () => {
    const { owner, member, at, grant, page } = team;
    const below = await page('Below', board.id);
    await grant(below, member, 300);
    const seeMore = () => owner.workspaces.update({ ...at, defaultAccess: 100 });
    const events = await told(member, seeMore);
    expect(forms(events.filter(({ type }) => type.startsWith('page')))).to.deep.equal([
      ['page.show', board.id, []],
      ['page.update', below, ['parentId', 'parentHidden', 'access']],
    ]);
  });

  it('hides and shows by the topmost page; what stays in sight below it follows', async () => {
    const { owner, member, at, grant, page } = team;
    const [top, elsewhere] = [await page('Top'), await page('Elsewhere')];
    const below = await page('Below', top);
    const kept = await page('Kept', below);
    await grant(top, member, 100);
    await grant(kept, member, 100);
    const away = await told(member, () => revoke(top), { include: ['record'] });
    expect(forms(away)[0]).to.deep.equal(['page.hide', top, []]);
    expect(away.slice(1).map(({ type, id }) => [type, id])).to.deep.equal([['page.update', kept]]);
    expect(away[1]!.record).to.deep.include({ id: kept, parentId: null, parentHidden: true });
    await grant(top, member, 100);
    await grant(elsewhere, member, 0);
    const moved = () => owner.pages.update({ ...at, pageId: below, parentId: elsewhere });
    const [hidden] = await told(member, moved);
    expect([hidden!.type, hidden!.id]).to.deep.equal(['page.hide', below]);
  });

  it('tells of a board that goes out of sight, and comes back, by its tasks that stay', async () => {
    const { owner, member, at, grant } = team;
    const taskId = await team.task(board.id, 'Task');
    await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId });
    for (const pageId of [board.id, taskId]) await grant(pageId, member, 100);
    const ofTask = (events: readonly ChangeEvent[]) => events.filter(({ type }) => type === 'task.update');
    const away = await told(member, () => revoke(board.id), { include: ['record'] });
    expect(away.map(({ type }) => type)).to.include('page.hide');
    expect(ofTask(away)).to.have.length(1);
    expect(ofTask(away)[0]).to.deep.include({ id: taskId, boardId: null, version: null });
    expect(ofTask(away)[0]!.record).to.deep.include({ id: taskId, boardId: null });
    const [back] = ofTask(await told(member, () => grant(board.id, member, 100), { include: ['record'] }));
    expect(back).to.deep.include({ id: taskId, boardId: board.id });
    const filters = { kind: ['task'], boardId: [board.id] };
    const followed = await told(member, () => revoke(board.id), filters);
    expect(forms(followed).map(([type, id]) => [type, id])).to.deep.equal([['task.update', taskId]]);
  });

  it('tells of a deletion once for each topmost page in the tree of the reader, and of nothing after it', async () => {
    const { owner, member, at, grant, page } = team;
    const other = await page('Other');
    const inside = await page('Inside', board.id);
    const [taskId, hiddenId] = [await team.task(board.id, 'Task'), await team.task(board.id, 'Hidden')];
    for (const id of [taskId, hiddenId]) await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId: id });
    await owner.pages.update({ ...at, pageId: taskId, parentId: other });
    for (const pageId of [other, inside, taskId]) await grant(pageId, member, 100);
    const events = await told(member, () => owner.pages.delete({ ...at, pageId: board.id }));
    expect(events.map(({ type }) => type)).to.deep.equal(['page.delete', 'page.delete']);
    expect(events.map(({ id }) => id)).to.have.members([inside, taskId]);
    for (const { boardId } of events) expect(boardId).to.equal(null);
  });

  it('shows an imported board by its page, in however many transactions, and what is added to it record by record', async () => {
    const { owner, admin, workspaceId, world } = team;
    const input = { workspaceId, memberId: admin.memberId, name: 'Imported', statuses: [{ name: 'To do' }], tags: [] };
    const types = async (externalId: string, count: number) => {
      const tasks = Array.from({ length: count }, (_, n) => ({
        externalId: `${externalId}${n}`,
        title: 'Task',
        status: 'To do',
      }));
      const events = await told(owner, () => world.operator.imports.board({ ...input, externalId, tasks }));
      return events.map(({ type }) => type);
    };
    expect(await types('Large', 300)).to.deep.equal(['page.show']);
    expect(await types('Small', 1)).to.deep.equal(['page.show']);
    expect(await types('Small', 3)).to.deep.equal(['task.create', 'task.create']);
  });

  it('passes a filter before or after a change, by all filters at once', async () => {
    const { owner, member, at, grant } = team;
    const [other, hidden] = [await team.board('Other'), await team.board('Hidden')];
    for (const { id } of [board, other]) await grant(id, member, 100);
    const taskId = await team.task(board.id, 'Task');
    const to = (boardId: string) => () => owner.tasks.update({ ...at, taskId, boardId });
    const [left, ...more] = await told(member, to(other.id), { boardId: [board.id], kind: ['task', 'comment'] });
    expect(more).to.deep.equal([]);
    expect(left).to.deep.include({ type: 'task.update', id: taskId, boardId: other.id, pageId: other.id });
    expect(await told(member, to(board.id), { boardId: [board.id], kind: ['comment'] })).to.deep.equal([]);
    expect(await told(member, to(other.id), { boardId: [hidden.id] })).to.deep.equal([]);
    const [gone] = await told(member, to(hidden.id), { boardId: [other.id] });
    expect(gone).to.deep.include({ type: 'task.hide', id: taskId, boardId: null, pageId: null });
    expect(await told(member, to(board.id), { boardId: [hidden.id] })).to.deep.equal([]);
  });

  it('has a guest read who wrote of what they wrote themself only', async () => {
    const { owner, guest, at, grant } = team;
    await grant(board.id, guest, 300);
    const taskId = await team.task(board.id, 'Task');
    const by = async (writer: Session, title: string) =>
      (await told(guest, () => writer.tasks.update({ ...at, taskId, title }))).map(({ byId }) => byId);
    expect(await by(owner, 'One')).to.deep.equal([null]);
    expect(await by(guest, 'Two')).to.deep.equal([guest.memberId]);
  });

  it('has one who left and came back look at all pages anew', async () => {
    const { owner, member, at } = team;
    const again = async () => {
      await member.members.remove({ ...at, memberId: member.memberId });
      const { id } = await owner.invitations.create({ ...at, role: 20 });
      await member.invitations.join({ invitationId: id });
    };
    const [scope] = await told(member, again);
    expect(scope).to.deep.include({ type: 'scope', id: null, pageIds: [] });
  });

  it('tells followers of a board, or of a page, what brings and takes it with a page above', async () => {
    const { owner, member, at, page, grant } = team;
    await owner.workspaces.update({ ...at, defaultAccess: 100 });
    const [folder, other] = [await page('Folder'), await page('Other')];
    const below = await team.board('Below', folder);
    const elsewhere = await team.board('Elsewhere', other);
    const hidden = await team.board('Hidden');
    await grant(hidden.id, member, 0);
    for (const { id } of [elsewhere, hidden]) {
      const taskId = await team.task(id, 'Task');
      await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId, parentId: folder });
    }
    const act = {
      'page.hide': () => owner.access.changeSettings({ ...at, pageId: folder, inherit: false, defaultAccess: 0 }),
      'page.show': () => owner.access.changeSettings({ ...at, pageId: folder, inherit: true }),
      'page.update': () => grant(folder, member, 300),
      'page.delete': () => owner.pages.delete({ ...at, pageId: folder, permanently: true }),
    };
    for (const [type, change] of Object.entries(act)) {
      let cursor = '';
      await member.workspaces.get(at, { onCursor: (now) => void (cursor = now) });
      expect((await told(member, change)).map((event) => [event.type, event.id])).to.deep.equal([[type, folder]]);
      const filtered = async (filter: object) =>
        (await member.changes.list({ ...at, since: cursor, ...filter })).items.map((event) => event.type);
      expect(await filtered({ boardId: [below.id] })).to.deep.equal([type]);
      expect(await filtered({ boardId: [elsewhere.id] })).to.deep.equal([type]);
      expect(await filtered({ pageId: [below.id, other] })).to.deep.equal([type]);
      expect(await filtered({ boardId: [board.id, hidden.id] })).to.deep.equal([]);
      expect(await filtered({ pageId: [other, elsewhere.id] })).to.deep.equal([]);
    }
    const renamed = () => owner.pages.update({ ...at, pageId: other, name: 'Renamed' });
    const inside = await page('Inside', other);
    expect(await told(member, renamed, { pageId: [inside] })).to.deep.equal([]);
  });

  it('tells followers of comments alone to read a task again where a comment may not be named', async () => {
    const { owner, member, at, grant } = team;
    await grant(board.id, member, 100);
    const taskId = await team.task(board.id, 'Task');
    const { id: commentId } = await owner.comments.create({ ...at, taskId, content: 'Well' });
    let since = '';
    await member.workspaces.get(at, { onCursor: (now) => void (since = now) });
    await owner.comments.delete({ ...at, taskId, commentId });
    await grant(board.id, member, 200);
    const startedAnew = personOf(createEngine(team.world.ports), member.userId, member.name);
    const { items } = await startedAnew.changes.list({ ...at, since, kind: ['comment'] });
    expect(items.map(({ type, id }) => [type, id])).to.deep.equal([
      ['scope', null],
      ['task.update', taskId],
    ]);
  });
});
