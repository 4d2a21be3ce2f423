import { expect } from 'chai';
import type { ChangeEvent } from '../../../../core/index.ts';
import type { Session } from '../../../../core/session.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { type Colleague, newTeam, type Team } from '../../../fixtures/world/team.ts';
import { DAY, newWorld } from '../../../fixtures/world/world.ts';
import { anotherProcess } from '../../../proofs/property/follow/follow-late.ts';
import { seen } from '../../../proofs/property/member-sight.ts';
import { Replica } from '../../../proofs/property/follow/replica.ts';

describe('a reader who reads pages later than the event that tells of them', () => {
  let team: Team;
  let reader: Colleague;
  let folder: string;
  let replica: Replica;

  beforeEach(async () => {
    team = await newTeam(newWorld(memoryStore(), 0, undefined, DAY), 0);
    reader = team.member;
    folder = await team.page('Folder');
    replica = await Replica.read(reader, team.workspaceId);
    await team.grant(folder, reader, 100);
  });

  /** Something happens between the answer and the first list of pages that follows it. */
  const meanwhile = (act: () => Promise<unknown>): Session => {
    let acted: Promise<unknown> | undefined;
    const list: Session['pages']['list'] = async (input) => {
      await (acted ??= act());
      return reader.pages.list(input, { onCursor: () => undefined });
    };
    return { ...reader, pages: { ...reader.pages, list } };
  };
  const follow = async (session: Session, limit = 100): Promise<readonly string[]> => {
    const { events } = await replica.follow(session, limit, false);
    return events.map(({ type }: ChangeEvent) => type);
  };
  const holdsWhatIsThere = async () => expect(replica.shown()).to.deep.equal(await seen(reader, team.workspaceId));

  const restoreLatest = async () => {
    const { items } = await team.owner.trash.list(team.at);
    await team.owner.trash.restore({ ...team.at, trashId: items[0]!.id });
  };

  it('does not keep one that was made and deleted until the next answer', async () => {
    let made = '';
    expect(
      await follow(
        meanwhile(async () => (made = await team.page('Made', folder))),
        100,
      ),
    ).to.include('page.show');
    await team.owner.pages.delete({ ...team.at, pageId: made });
    expect(await follow(reader)).to.deep.equal(['scope']);
    await holdsWhatIsThere();
  });

  it('nor in an answer of a catch-up whose changes come before', async () => {
    let made = '';
    const board = await team.board('Board', folder);
    await follow(
      meanwhile(async () => {
        for (const title of ['One', 'Two', 'Three']) await team.task(board.id, title);
        made = await team.page('Made', folder);
      }),
    );
    await team.owner.pages.delete({ ...team.at, pageId: made });
    await follow(reader, 2);
    await holdsWhatIsThere();
  });

  it('nor one that they were shown and that was hidden again', async () => {
    const other = await team.page('Other');
    await follow(meanwhile(() => team.grant(other, reader, 100)));
    await team.owner.access.revoke({ ...team.at, pageId: other, memberId: reader.memberId });
    expect(await follow(reader)).to.deep.equal(['scope']);
    await holdsWhatIsThere();
  });

  it('is told of a deletion by name, and of hidden pages nothing, however many answers that takes', async () => {
    const other = await team.page('Other');
    await follow(reader);
    for (let n = 0; n < 3; n += 1) {
      await team.grant(other, team.guest, 100);
      await team.grant(other, team.guest, 200);
    }
    await team.owner.pages.delete({ ...team.at, pageId: folder });
    await team.owner.pages.delete({ ...team.at, pageId: other });
    expect(await follow(reader, 2)).to.deep.equal(['page.delete']);
    await holdsWhatIsThere();
  });

  it('reads one again that was out of sight for a while, with what is below it', async () => {
    const board = await team.board('Board', folder);
    await team.task(board.id, 'Task');
    await follow(
      meanwhile(() =>
        team.owner.access.changeSettings({ ...team.at, pageId: board.id, inherit: false, defaultAccess: 0 }),
      ),
    );
    await team.owner.access.changeSettings({ ...team.at, pageId: board.id, inherit: true });
    expect(await follow(reader)).to.deep.equal(['scope', 'page.show']);
    await holdsWhatIsThere();
  });

  it('reads one again that was in the trash for a while with a hidden page above it', async () => {
    const { owner, at } = team;
    const hidden = await team.page('Hidden');
    const board = await team.board('Board', hidden);
    await team.task(board.id, 'Task');
    await team.grant(board.id, reader, 100);
    await follow(meanwhile(() => owner.pages.delete({ ...at, pageId: hidden })));
    await restoreLatest();
    expect(await follow(reader)).to.deep.equal(['scope', 'page.show']);
    await holdsWhatIsThere();
  });

  it('reads one again that was in the trash for a while, where another process answers', async () => {
    const { owner, at, world } = team;
    const board = await team.board('Board', folder);
    await follow(reader);
    const { changes } = anotherProcess(world.ports.store)(reader.userId, world.ports);
    await owner.boards.update({ ...at, boardId: board.id, name: 'Renamed' });
    await follow({ ...meanwhile(() => owner.pages.delete({ ...at, pageId: folder })), changes });
    await restoreLatest();
    expect(await follow({ ...reader, changes })).to.deep.equal(['scope', 'page.show']);
    await holdsWhatIsThere();
  });

  it('is told nothing of a hidden page that was in the trash for a while', async () => {
    const hidden = await team.page('Hidden');
    await team.page('Below', hidden);
    await follow(reader);
    await team.owner.pages.delete({ ...team.at, pageId: hidden });
    await restoreLatest();
    expect(await follow(reader)).to.deep.equal([]);
  });

  it('keeps nothing that was deleted below a page that they read where it had moved', async () => {
    const { owner, at } = team;
    const outer = await team.page('Outer', folder);
    const inner = await team.page('Inner', outer);
    const below = await team.page('Below', inner);
    await follow(reader);
    await team.grant(inner, reader, 300);
    await follow(
      meanwhile(() => owner.access.changeSettings({ ...at, pageId: outer, inherit: false, defaultAccess: 0 })),
    );
    await owner.pages.delete({ ...at, pageId: below });
    expect(await follow(reader)).to.deep.equal(['page.hide', 'page.delete', 'page.update']);
    await holdsWhatIsThere();
  });

  it('reads a task again that they read before they were told that it is hidden', async () => {
    const { owner, at, world } = team;
    const board = await team.board('Board', folder);
    const taskId = await team.task(board.id, 'Task');
    await follow(reader);
    await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId, parentId: null });
    const answeredBy = (session: Session): Session => ({
      ...session,
      changes: anotherProcess(world.ports.store)(reader.userId, world.ports).changes,
    });
    const told = await follow(answeredBy(meanwhile(() => team.grant(taskId, reader, 100))));
    expect(told).to.deep.equal(['scope', 'task.hide']);
    expect(await follow(answeredBy(reader))).to.include('scope');
    await holdsWhatIsThere();
  });

  it('reads levels again that were others for a while', async () => {
    await team.page('Below', folder);
    await follow(meanwhile(() => team.grant(folder, reader, 300)));
    await team.grant(folder, reader, 100);
    expect(await follow(reader)).to.include('scope');
    await holdsWhatIsThere();
  });

  it('reads levels again below a page that moved away before it was read with the page above it', async () => {
    const { owner, at } = team;
    await owner.workspaces.update({ ...at, defaultAccess: 100 });
    const outer = await team.page('Outer');
    const inner = await team.page('Inner', outer);
    await team.page('Below', inner);
    await follow(reader);
    await owner.workspaces.update({ ...at, defaultAccess: 300 });
    await follow(meanwhile(() => owner.pages.update({ ...at, pageId: inner, parentId: null })));
    await follow(reader);
    await holdsWhatIsThere();
  });

  it('reads again what they had by an entry for a while, at the level that they have without', async () => {
    const inner = await team.page('Inner', folder);
    await follow(meanwhile(() => team.grant(inner, reader, 100)));
    await team.owner.access.revoke({ ...team.at, pageId: inner, memberId: reader.memberId });
    await follow(reader);
    await holdsWhatIsThere();
  });

  it('keeps nothing of what they saw for a while by their role, or as all did', async () => {
    const { owner, at } = team;
    const board = await team.board('Board');
    await team.task(board.id, 'Task');
    const { memberId } = reader;
    await follow(meanwhile(() => owner.members.update({ ...at, memberId, role: 40 })));
    await owner.members.update({ ...at, memberId, role: 20 });
    expect(await follow(reader)).to.include('scope');
    await holdsWhatIsThere();
    await team.grant(folder, reader, 300);
    await follow(meanwhile(() => owner.workspaces.update({ ...at, defaultAccess: 100 })));
    await owner.workspaces.update({ ...at, defaultAccess: 0 });
    expect(await follow(reader)).to.include('scope');
    await holdsWhatIsThere();
  });

  it('reads everything again where their role took it away for a while', async () => {
    const { owner, at } = team;
    const { memberId } = reader;
    await owner.workspaces.update({ ...at, defaultAccess: 100 });
    const board = await team.board('Board');
    await team.task(board.id, 'Task');
    await follow(meanwhile(() => owner.members.update({ ...at, memberId, role: 10 })));
    await owner.members.update({ ...at, memberId, role: 20 });
    const told = await follow(reader);
    expect(told).to.include('scope');
    expect(told).to.include('page.show');
    await holdsWhatIsThere();
  });

  it('is told no more than the difference where no page was changed twice', async () => {
    const below = await team.page('Below', folder);
    const other = await team.page('Other');
    await follow(reader);
    await team.grant(below, team.guest, 100);
    await team.grant(below, team.guest, 200);
    await team.grant(other, reader, 100);
    expect(await follow(reader)).to.deep.equal(['page.update', 'page.show']);
    await holdsWhatIsThere();
  });
});
