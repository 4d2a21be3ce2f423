import { expect } from 'chai';
import type { TransferRecord } from '../../../core/index.ts';
import { storedPage } from '../../../core/model/workspace/page.ts';
import type { Store } from '../../../core/ports/store.ts';
import { newWorld, type Person, personOf, type World } from '../../fixtures/world/world.ts';
import { asBefore, everythingSeen, olderAnswers } from './answers.ts';

/** Behind all ids that the store was made with. */
const FIRST_ID = 1_000_000;

/** What must hold of a store that an older commit has made. @param open gives it as it was left then */
export function olderStore(commit: string, open: () => Promise<Store>): void {
  const before = olderAnswers(commit);
  const { workspaceId, now, once } = before;
  const at = { workspaceId };
  let world: World;
  let person: (name: string) => Person;

  beforeEach(async () => {
    world = newWorld(await open(), FIRST_ID);
    world.pass(Date.parse(now) - Date.parse(world.time()));
    person = (name) => personOf(world.engine, before.ids[name] as string, name);
  });
  afterEach(() => world.store.close());

  for (const name of Object.keys(before.answers)) {
    it(`shows ${name} what they saw`, async () => {
      const seen = await everythingSeen(person(name), workspaceId);
      expect(asBefore(seen, before.answers[name])).to.deep.equal(before.answers[name]);
    });
  }

  it('keeps every record, and what was done by whom', async () => {
    const records: unknown[] = [];
    await world.operator.exports.workspace({ ...at, sink: (transferred) => void records.push(asStored(transferred)) });
    expect(asBefore(records, before.records)).to.deep.equal(before.records);
    const { items: users } = await world.operator.users.list({});
    expect(asBefore(users, before.users)).to.deep.equal(before.users);
    const { items: service } = await world.operator.audit.service({});
    expect(asBefore(service, before.service)).to.deep.equal(before.service);
    const changes = await world.store.read((tx) => tx.changes.list('ofWorkspace', { workspaceId }, { limit: 1_000 }));
    expect(changes).to.have.length(before.changes);
  });

  it('satisfies the doctor, and still does when what was deleted is purged', async () => {
    expect(await world.operator.doctor.check()).to.deep.equal(before.doctor);
    await world.purge();
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
    expect(await world.store.read((tx) => tx.jobs.list('all', {}, { limit: 10 }))).to.deep.equal([]);
    const all = { workspaceId, scope: null, filters: [] };
    const kept = await world.store.read((tx) => tx.tasks.count(all));
    expect(kept).to.equal(before.records.filter(({ kind }) => kind === 'task').length);
  });

  it('knows who comes with a token or from an issuer', async () => {
    const { token, external } = before;
    expect((await world.as({ caller: { kind: 'token', hash: token.hash } }).me.get()).id).to.equal(token.userId);
    const caller = { kind: 'external', ...external, name: '', verifiedEmail: null, links: false } as const;
    expect((await world.as({ caller }).me.get()).id).to.equal(external.userId);
  });

  it('gives the answer of a call that has happened again', async () => {
    const { key, digest, boardId, answer } = once;
    const caller = { kind: 'user', userId: before.ids['ada'] as string } as const;
    const again = await world
      .as({ caller, idempotencyKey: { key, digest } })
      .tasks.create({ ...at, boardId, title: 'Made once' });
    expect(asBefore(again, answer)).to.deep.equal(answer);
  });

  it('takes every membership as the first, and a return as the second', async () => {
    const memberships = async () => {
      const structure = await world.store.read((tx) => tx.structures.get(workspaceId));
      return new Map(Array.from(structure?.members() ?? [], ({ userId, membership }) => [userId, membership]));
    };
    expect(new Set((await memberships()).values())).to.deep.equal(new Set([1]));
    const [ada, cleo] = [person('ada'), person('cleo')];
    const { memberId } = await cleo.workspaces.get(at);
    await cleo.members.remove({ ...at, memberId });
    const { id } = await ada.invitations.create({ ...at, role: 10 });
    await cleo.invitations.join({ invitationId: id });
    expect((await memberships()).get(cleo.userId)).to.equal(2);
    const [own] = await world.store.read((tx) => tx.structures.ofUser(cleo.userId));
    expect(own?.member.membership).to.equal(2);
  });

  it('goes on with numbers, places, counts, invitations and the tree', async () => {
    const [ada, ben] = [person('ada'), person('ben')];
    const { boardId, answer } = once;
    const kept = Number(await world.store.read((tx) => tx.tasks.taskCount(workspaceId)));
    const task = await ada.tasks.create({ ...at, boardId, title: 'New' });
    expect(task.num).to.equal(Number(answer['num']) + 3);
    expect(task.statusOrderKey).to.be.greaterThan(Number(answer['statusOrderKey']));
    expect(await world.store.read((tx) => tx.tasks.taskCount(workspaceId))).to.equal(kept + 1);
    const gus = await world.user('Gus');
    expect((await gus.invitations.join({ invitationId: before.invitation })).workspaceId).to.equal(workspaceId);
    const pages = await ben.pages.list(at);
    const [docs, folder] = [
      pages.find(({ name }) => name === 'Docs'),
      await ada.pages.create({ ...at, name: 'New', type: 'folder' }),
    ];
    await ada.pages.update({ ...at, pageId: docs?.id as string, parentId: folder.id });
    expect((await ben.pages.list(at)).map(({ name }) => name)).to.have.members([
      ...pages.map(({ name }) => name),
      'New',
    ]);
    await ada.pages.delete({ ...at, pageId: folder.id });
    await world.purge();
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
    expect(await world.store.read((tx) => tx.tasks.taskCount(workspaceId))).to.equal(0);
  });
}

/** Entries of a first membership are kept as levels, as all were then. */
function asStored(transferred: TransferRecord): unknown {
  return transferred.kind === 'page' ? { ...transferred, record: storedPage(transferred.record) } : transferred;
}
