import { expect } from 'chai';
import { WakeUps } from '../../../../core/changes/wake-ups.ts';
import { createEngine } from '../../../../core/engine.ts';
import type { ChangeSlice } from '../../../../core/index.ts';
import type { Session } from '../../../../core/session.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { newTeam, type BoardAt, type Colleague, type Team } from '../../../fixtures/world/team.ts';
import { wrappedStore } from '../../../fixtures/store/wrapped-store.ts';
import { HOUR, newTokenSession, newWorld, outcome, personOf } from '../../../fixtures/world/world.ts';

const SECONDS = 60;
const WAIT = SECONDS * 1_000;

describe('waiting for changes', () => {
  let timers: ManualTimers;
  let reads: number;
  let team: Team;
  let board: BoardAt;
  let taskId: string;

  beforeEach(async () => {
    timers = new ManualTimers();
    reads = 0;
    team = await newTeam(newWorld(counted(memoryStore()), 0, timers), 0);
    board = await team.board('Board');
    taskId = await team.task(board.id, 'Task');
  });

  /** Counts reads. */
  const counted = (store: Store): Store =>
    wrappedStore(store, {
      read: (tx) => {
        reads += 1;
        return tx;
      },
    });

  const cursorOf = async (reader: Session) => {
    let now = '';
    await reader.workspaces.get(team.at, { onCursor: (seen) => void (now = seen) });
    return now;
  };
  const rename = (title: string) => team.owner.tasks.update({ ...team.at, taskId, title });
  /** Begins to wait, and resolves when it does. */
  const waiting = async (reader: Session, signal?: AbortSignal) => {
    const since = await cursorOf(reader);
    const answer = reader.changes.list({ ...team.at, since, wait: SECONDS }, { signal });
    // It may be refused before the test looks at it.
    answer.catch(() => undefined);
    await timers.isSet(WAIT);
    reads = 0;
    return { since, answer };
  };
  const ids = ({ items }: ChangeSlice) => items.map(({ type, id }) => [type, id]);
  /** Nothing is left behind it: no timer, and nobody who listens. */
  const expectNothingLeft = () => {
    expect(timers.count(WAIT)).to.equal(0);
    timers.pass(250);
    expect(timers.count(250)).to.equal(0);
  };

  it('ends with the commit of something that the reader sees', async () => {
    const { answer } = await waiting(team.owner);
    await rename('Renamed');
    expect(ids(await answer)).to.deep.equal([['task.update', taskId]]);
    expectNothingLeft();
  });

  it('has few reads of a user under way at once, however many wait', async () => {
    const store = memoryStore();
    let running = 0;
    let most = 0;
    const slow: Store = {
      ...wrappedStore(store, {}),
      read: async (work) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        return store.read(work).finally(() => (running -= 1));
      },
    };
    team = await newTeam(newWorld(slow, 0, timers), 0);
    const { id: pageId } = await team.board('Board');
    const since = await cursorOf(team.owner);
    const answers = Array.from({ length: 8 }, () => team.owner.changes.list({ ...team.at, since, wait: SECONDS }));
    while (timers.count(WAIT) < 8) await new Promise((resolve) => setImmediate(resolve));
    await team.owner.pages.update({ ...team.at, pageId, name: 'Renamed' });
    for (const answer of await Promise.all(answers)) expect(answer.items).not.to.be.empty;
    // One before it is known whose token it is, and one of the user.
    expect(most).to.be.at.most(2);
  });

  it('does not begin where there is something already', async () => {
    const since = await cursorOf(team.owner);
    await rename('Renamed');
    const answer = await team.owner.changes.list({ ...team.at, since, wait: SECONDS });
    expect(ids(answer)).to.deep.equal([['task.update', taskId]]);
  });

  it('goes on over writes that the reader does not see, with one read for each at the most', async () => {
    const { answer } = await waiting(team.guest);
    for (const title of ['One', 'Two', 'Three']) await rename(title);
    await team.grant(board.id, team.guest, 100);
    expect(ids(await answer)).to.deep.include(['page.show', board.id]);
    expect(reads).to.be.at.most(6);
  });

  it('goes on over what a filter leaves out', async () => {
    const since = await cursorOf(team.owner);
    const answer = team.owner.changes.list({ ...team.at, since, kind: ['board'], wait: SECONDS });
    await timers.isSet(WAIT);
    await rename('Renamed');
    await team.owner.boards.update({ ...team.at, boardId: board.id, name: 'Renamed' });
    expect(ids(await answer)).to.deep.equal([['board.update', board.id]]);
  });

  it('ends without events when the time is up, with the cursor behind what was hidden', async () => {
    const { since, answer } = await waiting(team.guest);
    await rename('Renamed');
    timers.pass(WAIT);
    const { items, cursor, next } = await answer;
    expect([items, next]).to.deep.equal([[], null]);
    expect(cursor).not.to.equal(since);
    expect(cursor).to.equal(await cursorOf(team.guest));
    expectNothingLeft();
  });

  it('ends when the reader is removed or disabled', async () => {
    const removed = await waiting(team.member);
    await team.owner.members.remove({ ...team.at, memberId: team.member.memberId });
    expect(await outcome(removed.answer)).to.equal('not-found');
    const disabled = await waiting(team.admin);
    await team.world.operator.users.update({ userId: team.admin.userId, disabled: true });
    expect(await outcome(disabled.answer)).to.equal('unauthenticated');
    expectNothingLeft();
  });

  it('ends when its token is revoked, and when it expires', async () => {
    const { world, member } = team;
    const revoked = await newTokenSession(world, member, null);
    const first = await waiting(revoked.reader);
    await member.tokens.revoke({ tokenId: revoked.tokenId });
    expect(await outcome(first.answer)).to.equal('unauthenticated');

    const { reader } = await newTokenSession(world, member, world.time(HOUR));
    world.pass(HOUR - 5_000);
    const since = await cursorOf(reader);
    const answer = reader.changes.list({ ...team.at, since, wait: SECONDS });
    await timers.isSet(5_000);
    world.pass(5_000);
    timers.pass(5_000);
    expect(await outcome(answer)).to.equal('unauthenticated');
  });

  it('ends with the reason of an aborted signal', async () => {
    const stop = new AbortController();
    const { answer } = await waiting(team.owner, stop.signal);
    const reason = new Error('no longer needed');
    stop.abort(reason);
    expect(await answer.catch((error: unknown) => error)).to.equal(reason);
    expectNothingLeft();
  });

  it('ends without events when waiting is closed, and does not begin after that', async () => {
    const { ports } = team.world;
    const wakeUps = new WakeUps(ports.store, timers);
    const { userId, name }: Colleague = team.owner;
    const reader = personOf(createEngine({ ...ports, wakeUps }), userId, name);
    const { since, answer } = await waiting(reader);
    wakeUps.close();
    const empty = { items: [], cursor: since, next: null };
    expect(await answer).to.deep.equal(empty);
    expect(await reader.changes.list({ ...team.at, since, wait: SECONDS })).to.deep.equal(empty);
  });
});
