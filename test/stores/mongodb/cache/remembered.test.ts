import { expect } from 'chai';
import type { Caller } from '../../../../core/ports/context.ts';
import { sessionOf } from '../../../../core/session.ts';
import { board, comment, member, newId, status, task, workspace } from '../../../contract/records.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { twoProcesses } from './two-processes.ts';

/** Reads go by what their process remembers, if it is still so: here it no longer is, by another process's doing. */
describe('what a process remembers', function () {
  this.timeout(60_000);
  const operator = { caller: { kind: 'operator' } } as const;
  const told = { kind: 'external', issuer: 'https://issuer.example.org', subject: 'ada', name: 'Ada' } as const;
  const processes = twoProcesses('remembered');

  async function ada() {
    const { id: userId } = await processes.one.engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
    const { id: tokenId, token } = await processes.one.engine.tokens.createFor(operator, { userId, name: 'laptop' });
    return { userId, tokenId, byToken: { kind: 'token', hash: `hash of ${token}` } as const };
  }

  /** What a caller is answered in the other process, which has answered the same before. */
  async function after(caller: Caller, change: () => Promise<unknown>) {
    const { me } = sessionOf(processes.other.engine, caller);
    await me.get();
    await me.get();
    await change();
    return outcome(me.get().then(({ name }) => expect(name).to.equal('Ada')));
  }

  it('of a token ends when it is revoked', async () => {
    const { byToken, userId, tokenId } = await ada();
    expect(await after(byToken, () => processes.one.as(userId).tokens.revoke({ tokenId }))).to.equal('unauthenticated');
  });

  it('of a token ends with the write that removes it, for whatever that asks next', async () => {
    const { byToken, userId } = await ada();
    const { store } = processes.one;
    const token = (await store.write(async (tx) => {
      await tx.users.get(userId);
      return tx.tokens.by({ hash: byToken.hash });
    }))!;
    const found = await store.write(async (tx) => {
      await tx.tokens.remove(token);
      return tx.tokens.by({ hash: byToken.hash });
    });
    expect(found).to.equal(null);
  });

  for (const kind of ['user', 'token', 'external'] as const) {
    it(`of a user, known by ${kind}, ends when they are disabled`, async () => {
      const { byToken, userId } = await ada();
      const external = { ...told, verifiedEmail: 'ada@example.org', links: true };
      await sessionOf(processes.one.engine, external).me.get();
      const caller = { user: { kind: 'user', userId } as const, token: byToken, external }[kind];
      const disable = () => processes.one.engine.users.update(operator, { userId, disabled: true });
      expect(await after(caller, disable)).to.equal('unauthenticated');
    });
  }

  it('of a user ends when they are renamed, also the second time', async () => {
    const { byToken, userId } = await ada();
    const { me } = sessionOf(processes.other.engine, byToken);
    for (const name of ['Ada', 'Augusta', 'Ada King']) {
      await processes.one.engine.users.update(operator, { userId, name });
      expect((await me.get()).name).to.equal(name);
      expect((await me.get()).name).to.equal(name);
    }
  });

  it('of a board ends when it changes', async () => {
    const { userId } = await ada();
    const { id: workspaceId } = await processes.one.as(userId).workspaces.create({ name: 'Acme' });
    const at = {
      workspaceId,
      boardId: (await processes.one.as(userId).boards.create({ workspaceId, name: 'Kanban' })).id,
    };
    for (const name of ['Open', 'Done']) {
      await processes.one.as(userId).statuses.create({ ...at, name });
      expect((await processes.other.as(userId).boards.get(at)).statuses.at(-1)?.name).to.equal(name);
    }
  });

  it('counts for nothing when it has changed, whatever the work makes of that', async () => {
    const { userId } = await ada();
    const { id: workspaceId } = await processes.one.as(userId).workspaces.create({ name: 'Acme' });
    const read = () =>
      processes.other.store.read(async (tx) => {
        const structure = await tx.structures.get(workspaceId);
        return tx.tasks.lastNum(workspaceId).then(
          () => structure?.workspace.name,
          () => 'what came of an error',
        );
      });
    expect(await read()).to.equal('Acme');
    await processes.one.as(userId).workspaces.update({ workspaceId, name: 'Renamed' });
    expect(await read()).to.equal('Renamed');
  });

  it('of a board ends with its workspace, and another of the same id and version is not taken for it', async () => {
    const made = workspace();
    const owner = member(made.id);
    const put = (name: string) =>
      processes.one.store.write(async (tx) => {
        const before = await tx.structures.get(made.id);
        if (before !== null) await tx.structures.remove(before);
        await tx.structures.clear(made.id, null, 9);
        await tx.structures.insert(made, owner);
        await tx.boards.replace(board(made.id, { id: made.id, name }));
      });
    const nameNow = () =>
      processes.other.store.read(async (tx) => {
        await tx.structures.get(made.id);
        return (await tx.boards.get(made.id, made.id))?.name;
      });
    await put('First');
    expect(await nameNow()).to.equal('First');
    await put('Second');
    await processes.other.store.read((tx) => tx.structures.get(made.id));
    expect(await nameNow()).to.equal('Second');
  });

  it('of the places in a column follows writes that begin with a task', async () => {
    const kanban = board(newId(), { statuses: [status()] });
    const [one, other] = [task(kanban, 1), task(kanban, 2)];
    const { workspaceId, statusId } = one;
    const taken = () =>
      processes.one.store.write(async (tx) => {
        await tx.tasks.lastNum(workspaceId);
        return tx.tasks.placesTaken(workspaceId, statusId, { limit: 9 });
      });
    await processes.one.store.write((tx) => tx.tasks.insert(one));
    expect(await taken()).to.deep.equal([1_024]);
    await processes.one.store.write((tx) => tx.tasks.insert(other));
    expect(await taken()).to.deep.equal([1_024, 2_048]);
    await processes.one.store.write((tx) => tx.tasks.remove(one));
    expect(await taken()).to.deep.equal([2_048]);
  });

  it('is told apart where one id is that of several things, asked for at once', async () => {
    const { userId } = await ada();
    const { id: workspaceId } = await processes.one.as(userId).workspaces.create({ name: 'Acme' });
    const { id: elsewhere } = await processes.one.as(userId).workspaces.create({ name: 'Elsewhere' });
    const kanban = board(workspaceId, { statuses: [status()] });
    const one = task(kanban, 1, { id: kanban.id });
    const said = comment(one, { id: kanban.id });
    await processes.one.store.write(async (tx) => {
      await tx.boards.insert(kanban);
      await tx.tasks.insert(one);
      await tx.comments.insert(said);
    });
    const { id } = kanban;
    const found = await processes.other.store.read((tx) =>
      Promise.all([
        tx.tasks.get(elsewhere, id),
        tx.tasks.get(workspaceId, id),
        tx.boards.get(workspaceId, id),
        tx.comments.get(workspaceId, id),
        tx.boards.get(elsewhere, id),
      ]),
    );
    expect(found).to.deep.equal([null, one, kanban, said, null]);
  });
});
