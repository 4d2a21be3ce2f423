import { expect } from 'chai';
import { WakeUps } from '../../../../core/changes/wake-ups.ts';
import { createEngine } from '../../../../core/engine.ts';
import type { ChangeEvent } from '../../../../core/index.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { sessionOf, type Session } from '../../../../core/session.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { newTeam, type BoardAt, type Team } from '../../../fixtures/world/team.ts';
import { HOUR, newTokenSession, newWorld, outcome, personOf } from '../../../fixtures/world/world.ts';

describe('watching changes', () => {
  let timers: ManualTimers;
  let team: Team;
  let board: BoardAt;
  let taskId: string;
  /** Called before each read of the store. */
  let beforeRead: () => void;

  beforeEach(async () => {
    timers = new ManualTimers();
    beforeRead = () => undefined;
    team = await newTeam(newWorld(watched(memoryStore()), 0, timers), 0);
    board = await team.board('Board');
    taskId = await team.task(board.id, 'Task');
  });

  function watched(store: Store): Store {
    return {
      read: async (work) => {
        beforeRead();
        return store.read(work);
      },
      write: (work) => store.write(work),
      ready: () => store.ready(),
      close: () => store.close(),
    };
  }

  const rename = (title: string, id = taskId) => team.owner.tasks.update({ ...team.at, taskId: id, title });
  const cursorOf = async (reader: Session) => {
    let now = '';
    await reader.workspaces.get(team.at, { onCursor: (seen) => void (now = seen) });
    return now;
  };
  /** Begins to watch from now on. */
  const watching = async (
    reader: Session,
    given: { readonly kind?: readonly ['board']; readonly since?: string } = {},
  ) => {
    const stop = new AbortController();
    const cursors: string[] = [];
    let first!: Promise<IteratorResult<ChangeEvent>>;
    let events!: AsyncIterableIterator<ChangeEvent>;
    await new Promise<void>((resolve, reject) => {
      const onCursor = (cursor: string) => {
        cursors.push(cursor);
        resolve();
      };
      events = reader.changes.watch({ ...team.at, ...given, signal: stop.signal }, { onCursor });
      first = events.next();
      first.catch(reject);
    });
    return { events, first, cursors, stop };
  };
  const typeAndId = ({ value }: IteratorResult<ChangeEvent>) => [value.type, value.id] as const;
  /** Nothing is left behind it: no timer, and nobody who listens. */
  const expectNothingLeft = () => {
    timers.pass(HOUR);
    timers.pass(HOUR);
    expect(timers.count(250)).to.equal(0);
  };

  it('ends for one who waits when the stream is closed', async () => {
    const { world, owner, at } = team;
    const stream = await world.engine.changes.watch({ caller: { kind: 'user', userId: owner.userId } }, at);
    beforeRead = () => stream.close();
    expect(await stream.next()).to.equal(null);
  });

  it('gives what is written from now on, in order, and ends with its signal', async () => {
    const { events, first, stop } = await watching(team.owner);
    await rename('One');
    expect(typeAndId(await first)).to.deep.equal(['task.update', taskId]);
    const second = await team.task(board.id, 'Second');
    expect(typeAndId(await events.next())).to.deep.equal(['task.create', second]);
    const waiting = events.next();
    stop.abort();
    expect((await waiting).done).to.equal(true);
    expectNothingLeft();
  });

  it('begins behind a cursor, and tells one to go on from once all up to it was taken', async () => {
    const since = await cursorOf(team.owner);
    const second = await team.task(board.id, 'Second');
    await rename('Renamed');
    const { events, first, cursors, stop } = await watching(team.owner, { since });
    expect(cursors).to.deep.equal([since]);
    expect(typeAndId(await first)).to.deep.equal(['task.create', second]);
    expect(typeAndId(await events.next())).to.deep.equal(['task.update', taskId]);
    expect(cursors).to.deep.equal([since]);
    const waiting = events.next();
    await rename('Again');
    await waiting;
    expect(cursors).to.have.length(2);
    stop.abort();
    await events.next();
    const again = await watching(team.owner, { since: cursors[1]! });
    expect(typeAndId(await again.first)).to.deep.equal(['task.update', taskId]);
    await again.events.return!();
    expectNothingLeft();
  });

  it('stays silent over what the reader does not see or a filter leaves out, and moves the cursor', async () => {
    const hidden = await watching(team.guest);
    const filtered = await watching(team.owner, { kind: ['board'] });
    await rename('Renamed');
    await team.grant(board.id, team.guest, 100);
    expect(typeAndId(await hidden.first)).to.deep.equal(['page.show', board.id]);
    expect(hidden.cursors.length).to.be.greaterThan(1);
    await team.owner.boards.update({ ...team.at, boardId: board.id, name: 'Renamed' });
    expect(typeAndId(await filtered.first)).to.deep.equal(['board.update', board.id]);
    for (const { stop } of [hidden, filtered]) stop.abort();
  });

  it('refuses a cursor of another workspace, and a caller who is no member', async () => {
    const elsewhere = (await cursorOf(team.owner)).replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
    expect(await outcome(watching(team.owner, { since: elsewhere }))).to.equal('cursor-expired');
    expect(await outcome(watching(team.owner, { since: 'x' }))).to.equal('invalid-input');
    expect(await outcome(watching(team.outsider))).to.equal('not-found');
    expectNothingLeft();
  });

  it('throws when the reader is removed or disabled, and gives nothing that follows', async () => {
    const removed = await watching(team.admin);
    await team.owner.members.remove({ ...team.at, memberId: team.admin.memberId });
    await rename('Unseen');
    expect(await outcome(removed.first)).to.equal('not-found');
    const disabled = await watching(team.member);
    await team.world.operator.users.update({ userId: team.member.userId, disabled: true });
    expect(await outcome(disabled.first)).to.equal('unauthenticated');
    const gone = await watching(team.owner);
    await team.owner.workspaces.delete(team.at);
    expect(await outcome(gone.first)).to.equal('not-found');
    expectNothingLeft();
  });

  it('throws when its token is revoked, and when it expires', async () => {
    const { world, member } = team;
    const revoked = await newTokenSession(world, member, null);
    const first = await watching(revoked.reader);
    await member.tokens.revoke({ tokenId: revoked.tokenId });
    expect(await outcome(first.first)).to.equal('unauthenticated');

    const { reader } = await newTokenSession(world, member, world.time(HOUR));
    const second = await watching(reader);
    world.pass(HOUR);
    timers.pass(HOUR);
    expect(await outcome(second.first)).to.equal('unauthenticated');
    expectNothingLeft();
  });

  it('throws when what an issuer said of the caller expires', async () => {
    const { world, at, owner } = team;
    const caller = {
      kind: 'external',
      issuer: 'https://id.example.org',
      subject: 'ada',
      name: 'Ada',
      links: false,
    } as const;
    const reader = sessionOf(world.engine, { ...caller, verifiedEmail: null, expiresAt: world.time(HOUR) });
    const invitation = await owner.invitations.create({ ...at, email: null, role: 20 });
    await reader.invitations.join({ invitationId: invitation.id });
    const { first } = await watching(reader);
    world.pass(HOUR);
    timers.pass(HOUR);
    expect(await outcome(first)).to.equal('unauthenticated');
    expect(await outcome(reader.me.get())).to.equal('unauthenticated');
  });

  it('goes on after the store was out of reach', async () => {
    const { first, stop } = await watching(team.owner);
    let isAway = true;
    beforeRead = () => {
      if (isAway) throw new EspalierError('store-unavailable', 'The store is away.');
    };
    await rename('Renamed');
    for (const isNext of [true, false]) {
      await timers.isSet(1_000);
      isAway = isNext;
      timers.pass(1_000);
    }
    expect(typeAndId(await first)).to.deep.equal(['task.update', taskId]);
    stop.abort();
  });

  it('gives each event once, also where the store is out of reach between two of them', async () => {
    const since = await cursorOf(team.owner);
    const ids = [await team.task(board.id, 'One'), await team.task(board.id, 'Two')];
    const { first, events, stop } = await watching(team.owner, { since });
    const given = [typeAndId(await first)[1]];
    const later = await team.task(board.id, 'Three');
    let failures = 1;
    beforeRead = () => {
      if (failures-- > 0) throw new EspalierError('store-unavailable', 'The store is away.');
    };
    for (let n = 0; n < 2; n += 1) given.push(typeAndId(await events.next())[1]);
    expect(given).to.deep.equal([...ids, later]);
    stop.abort();
  });

  it('reads nothing while nothing is asked for, whatever is written', async () => {
    const { events, first, stop } = await watching(team.owner);
    await rename('One');
    await first;
    let reads = 0;
    beforeRead = () => void (reads += 1);
    for (let n = 0; n < 50; n += 1) await rename(`Title ${n}`);
    expect(reads).to.equal(0);
    expect(typeAndId(await events.next())).to.deep.equal(['task.update', taskId]);
    expect(reads).to.equal(1);
    stop.abort();
  });

  it('ends when waiting is closed', async () => {
    const { ports } = team.world;
    const wakeUps = new WakeUps(ports.store, timers);
    const { userId, name } = team.owner;
    const { events, first } = await watching(personOf(createEngine({ ...ports, wakeUps }), userId, name));
    wakeUps.close();
    expect((await first).done).to.equal(true);
    expect((await events.next()).done).to.equal(true);
  });
});
