import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { trash } from '../../../fixtures/suite/trash.ts';
import { trashLifetime } from '../../../fixtures/suite/trash-lifetime.ts';
import { trashRules } from '../../../fixtures/suite/trash-rules.ts';
import { trashTaskPages } from '../../../fixtures/suite/trash-task-pages.ts';
import { trashProperties } from '../../../fixtures/suite/trash-properties.ts';
import { newTrashTeam } from '../../../fixtures/suite/trash-team.ts';
import { type Colleague, expectSound } from '../../../fixtures/world/team.ts';
import { UndoingStore } from '../../../fixtures/store/undoing-store.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';
import { outcome, personOf } from '../../../fixtures/world/world.ts';

/** ESPALIER_TRASH_WORLDS: how many random worlds each property sees; ESPALIER_SEED: the first of them. */
const WORLDS = Number(process.env['ESPALIER_TRASH_WORLDS'] ?? 10);

describe('the trash', () => {
  trash(async () => memoryStore());
  trashRules(async () => memoryStore());
  trashTaskPages(async () => memoryStore());
  trashLifetime(async () => memoryStore());
  trashProperties(async () => memoryStore(), WORLDS);

  it('lists a page with much access of its own below it, also while the board of a task below is in the trash', async () => {
    const team = await newTrashTeam();
    const { owner, member, at } = team;
    const folder = await team.page('Folder');
    // More than an item lists.
    for (let i = 0; i <= 200; i += 1) {
      const pageId = await team.page(`p${i}`, folder);
      await owner.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: 300 });
    }
    const board = await team.board('Board');
    const taskId = await team.task(board.id, 'paged');
    await owner.pages.create({ ...at, name: 'paged', type: 'task', taskId, parentId: folder });
    const hidden = await team.page('hidden', taskId);
    await team.grant(folder, member, 400);
    await team.grant(hidden, member, 0);
    await owner.pages.delete({ ...at, pageId: folder });
    await owner.boards.delete({ ...at, boardId: board.id });
    const shown = async (who: Colleague) => (await who.trash.list(at)).items.map(({ id }) => id);
    expect(await shown(owner)).to.have.members([folder, board.id]);
    expect(await shown(member)).to.deep.equal([]);
    expect(await outcome(owner.trash.restore({ ...at, trashId: folder }))).to.equal('board-in-trash');
    expect(await outcome(member.trash.delete({ ...at, trashId: folder }))).to.equal('hidden-content');
    await owner.trash.delete({ ...at, trashId: folder });
    expect(await shown(owner)).to.deep.equal([board.id]);
    await team.world.purge();
    await expectSound(team);
  });

  it('looks at all access below a page of a task, with its board below that page, and much access of its own beside it', async () => {
    const team = await newTrashTeam();
    const { owner, member, at } = team;
    const folder = await team.page('Folder');
    await team.grant(folder, member, 400);
    // More than an item lists.
    for (let i = 0; i <= 200; i += 1) await team.grant(await team.page(`p${i}`, folder), member, 300);
    const board = await team.board('Board');
    const taskId = await team.task(board.id, 'paged');
    await owner.pages.create({ ...at, name: 'paged', type: 'task', taskId, parentId: folder });
    await owner.pages.update({ ...at, pageId: board.id, parentId: taskId });
    await team.grant(await team.page('hidden', board.id), member, 0);
    await owner.pages.delete({ ...at, pageId: folder });
    expect((await member.trash.list(at)).items).to.deep.equal([]);
    expect(await outcome(member.trash.restore({ ...at, trashId: folder }))).to.equal('hidden-content');
    expect(await outcome(member.trash.delete({ ...at, trashId: folder }))).to.equal('hidden-content');
    await owner.trash.restore({ ...at, trashId: folder });
    await expectSound(team);
  });

  it('is for owners alone where a page above is gone for good, also with much access below that was looked at before', async () => {
    const team = await newTrashTeam();
    const { member, owner, at } = team;
    const above = await team.page('Above');
    const folder = await team.page('Folder', above);
    // More than an item lists.
    for (let i = 0; i <= 200; i += 1) await team.grant(await team.page(`p${i}`, folder), member, 400);
    await team.grant(above, member, 400);
    for (const pageId of [folder, above]) await owner.pages.delete({ ...at, pageId });
    const restore = () => outcome(member.trash.restore({ ...at, trashId: folder, parentId: folder }));
    expect(await restore()).to.equal('unusable-reference');
    await owner.trash.delete({ ...at, trashId: above });
    expect(await restore()).to.equal('not-found');
    expect(await outcome(member.trash.delete({ ...at, trashId: folder }))).to.equal('not-found');
    expect(await outcome(owner.trash.restore({ ...at, trashId: folder }))).to.equal('ok');
    await expectSound(team);
  });

  it('brings back a large board while many of its tasks are purged that were deleted for good before', async () => {
    const team = await newTrashTeam();
    const { owner, at, world } = team;
    const [board, folder] = [await team.board('Board'), await team.page('Folder')];
    // More than a write looks at.
    for (let i = 0; i < 510; i += 1) {
      const taskId = await team.task(board.id, `t${i}`);
      await owner.pages.create({ ...at, name: `t${i}`, type: 'task', taskId, parentId: folder });
    }
    await owner.pages.delete({ ...at, pageId: folder, permanently: true });
    await owner.boards.delete({ ...at, boardId: board.id });
    let meanwhile: (() => Promise<unknown>) | null = () => world.purge();
    const yieldToEventLoop = async () => {
      const change = meanwhile;
      meanwhile = null;
      await change?.();
    };
    const ada = personOf(createEngine({ ...world.ports, yieldToEventLoop }), owner.userId, 'Ada');
    await ada.trash.restore({ ...at, trashId: board.id });
    expect(meanwhile).to.equal(null);
    expect((await owner.pages.list(at)).map(({ id }) => id)).to.deep.equal([board.id]);
    await expectSound(team);
  });

  it('is restored by nobody for access that was granted by a write that is undone', async () => {
    const store = new UndoingStore(memoryStore());
    const team = await newTrashTeam(store);
    const { owner, admin, member, at, workspaceId } = team;
    const top = await team.page('Top');
    const folder = await team.page('Folder', top);
    // More than an item lists.
    for (let i = 0; i <= 200; i += 1) await team.grant(await team.page(`p${i}`, folder), member, 300);
    await team.grant(top, member, 0);
    await owner.pages.delete({ ...at, pageId: folder });
    const revision = () => store.read(async (tx) => (await tx.structures.get(workspaceId))!.revision);
    const before = await revision();
    // The administrator may grant nothing any more, at the same revision as of the grant that is undone.
    store.undoNext(2, () => owner.members.update({ ...at, memberId: admin.memberId, role: 10 }));
    const [granted, restored] = await Promise.all([
      outcome(admin.access.grant({ ...at, pageId: top, memberId: member.memberId, access: 400 })),
      outcome(member.trash.restore({ ...at, trashId: folder })),
    ]);
    expect([granted, restored]).to.deep.equal(['not-found', 'not-found']);
    expect(await revision()).to.equal(before + 1);
    await expectSound(team);
  });

  it('tells guests who deleted what only if it was them', async () => {
    const team = await newTrashTeam();
    const { owner, guest, member, at } = team;
    const board = await team.board('Board');
    await team.grant(board.id, guest, 300);
    for (const who of [owner, guest]) await who.tasks.delete({ ...at, taskId: await team.task(board.id, 'task') });
    const shown = async (who: Colleague) => {
      const { items } = await who.trash.list({ ...at, expand: ['deletedBy'] });
      return new Set(items.map(({ deletedById, expanded }) => `${deletedById} ${JSON.stringify(expanded!.deletedBy)}`));
    };
    const own = `${guest.memberId} ${JSON.stringify({ id: guest.memberId, name: 'Guest' })}`;
    expect(await shown(guest)).to.deep.equal(new Set(['null null', own]));
    const named = `${owner.memberId} ${JSON.stringify({ id: owner.memberId, name: 'Owner' })}`;
    expect(await shown(member)).to.deep.equal(new Set([named, own]));
  });

  it('goes on behind more hidden items than one call looks at, with a cursor that names none of them', async () => {
    const team = await newTrashTeam();
    const { owner, member, at, world } = team;
    const [hidden, seen] = [await team.board('Hidden'), await team.board('Seen')];
    await team.grant(hidden.id, member, 0);
    const early = await team.task(seen.id, 'early');
    await owner.tasks.delete({ ...at, taskId: early });
    world.pass(1);
    const ids: string[] = [];
    for (let part = 0; part < 3; part += 1) {
      const tasks = Array.from({ length: 400 }, (_, n) => ({ boardId: hidden.id, title: `t${n}` }));
      const taskIds = (await owner.tasks.createMany({ ...at, tasks })).map(({ id }) => id);
      ids.push(...taskIds);
      if (part === 1) await owner.tasks.deleteMany({ ...at, taskIds: taskIds.slice(0, 200) });
      world.pass(1);
      await owner.tasks.deleteMany({ ...at, taskIds: part === 1 ? taskIds.slice(200) : taskIds });
    }
    const found: string[] = [];
    let calls = 0;
    for (let cursor: string | undefined; ; calls += 1) {
      const { items, next } = await member.trash.list({ ...at, ...(cursor !== undefined && { cursor }) });
      found.push(...items.map(({ id }) => id));
      if (next === null) break;
      cursor = next;
      expect(ids.filter((id) => next.includes(id))).to.deep.equal([]);
    }
    expect([found, calls]).to.deep.equal([[early], 1]);
    const all = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { items, next } = await owner.trash.list({ ...at, limit: 70, ...(cursor !== undefined && { cursor }) });
      all.push(...items.map(({ id }) => id));
      cursor = next;
    }
    expect(all.toSorted()).to.deep.equal([...ids, early].toSorted());
  });

  it('looks at all pages below an item before the write, and again where their access has changed', async () => {
    const store = new WatchedStore(memoryStore());
    const team = await newTrashTeam(store);
    const { owner, member, at } = team;
    const top = await team.page('Top');
    await team.grant(top, member, 400);
    const other = await team.join('Other', 20);
    const pages: string[] = [];
    // More than a write looks at, with more access than an item lists.
    for (let i = 0; i < 600; i += 1) pages.push(await team.page(`p${i}`, top));
    for (const pageId of pages.slice(0, 201)) await team.grant(pageId, member, 300);
    const board = await team.board('Board');
    const elsewhere = await team.page('Elsewhere');
    await owner.pages.delete({ ...at, pageId: top });
    const asked = async (call: () => Promise<unknown>) => {
      store.asked = 0;
      const answer = await outcome(call());
      return [answer, store.asked];
    };
    // Their level on the item is too low.
    expect(await asked(() => other.trash.restore({ ...at, trashId: top }))).to.deep.equal(['forbidden', 0]);
    expect(await asked(() => other.trash.delete({ ...at, trashId: top }))).to.deep.equal(['forbidden', 0]);
    let meanwhile: (() => Promise<unknown>) | null = () => team.grant(elsewhere, member, 0);
    const yieldToEventLoop = async () => {
      const change = meanwhile;
      meanwhile = null;
      await change?.();
    };
    const mia = personOf(createEngine({ ...team.world.ports, yieldToEventLoop }), member.userId, 'Mia');
    // A write that ends where it looks at too much, and another as the structure has changed.
    expect(await asked(() => mia.trash.restore({ ...at, trashId: top }))).to.deep.equal(['ok', 2]);
    expect(meanwhile).to.equal(null);
    expect(await owner.pages.list(at)).to.have.length(603);
    await owner.pages.delete({ ...at, pageId: top });
    meanwhile = () => owner.members.update({ ...at, memberId: member.memberId, role: 10 });
    expect(await outcome(mia.trash.restore({ ...at, trashId: top }))).to.equal('forbidden');
    expect(meanwhile).to.equal(null);
    await owner.members.update({ ...at, memberId: member.memberId, role: 20 });
    meanwhile = () => owner.members.remove({ ...at, memberId: member.memberId });
    expect(await outcome(mia.trash.restore({ ...at, trashId: top }))).to.equal('not-found');
    expect(await asked(() => team.admin.trash.delete({ ...at, trashId: top }))).to.deep.equal(['ok', 1]);
    expect((await owner.pages.list(at)).map(({ id }) => id)).to.have.members([board.id, elsewhere]);
    await team.world.purge();
    await expectSound(team);
  });
});
