import { expect } from 'chai';
import { type ChangeListener, WakeUps } from '../../../../core/changes/wake-ups.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';

const POLL = 250;
/** More than are between two looks for what was revoked. */
const POLLS = 8;

describe('of those who listen to a workspace that another process writes in', () => {
  let team: Team;
  let timers: ManualTimers;
  let wakeUps: WakeUps;

  beforeEach(async () => {
    team = await newTeam();
    timers = new ManualTimers();
    // Not the one that the commits of the team's process ring.
    wakeUps = new WakeUps(team.world.store, timers);
  });
  afterEach(() => wakeUps.close());

  const end = () => team.world.store.read(async (tx) => (await tx.changeLog.head(team.workspaceId)).last);
  const listens = (offset: number | null): ChangeListener => {
    const listener = wakeUps.listen(team.workspaceId, null);
    listener.offset = offset;
    return listener;
  };
  const poll = async () => {
    await timers.isSet(POLL);
    timers.pass(POLL);
    await timers.isSet(POLL);
  };
  /** Whether they are woken; a promise that is resolved already comes first. */
  const isRung = (listener: ChangeListener) =>
    Promise.race([listener.woken().then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);

  it('those are woken who do not know the end of its log, and no others', async () => {
    const behind = listens(await end());
    await team.page('Page');
    const current = listens(await end());
    await poll();
    expect([await isRung(behind), await isRung(current)]).to.deep.equal([true, false]);
  });

  it('one who has not read yet is passed over, and woken once behind', async () => {
    const reading = listens(null);
    const offset = await end();
    await team.page('Page');
    await poll();
    expect(await isRung(reading)).to.equal(false);
    // What they read was older than the write.
    reading.offset = offset;
    await poll();
    expect(await isRung(reading)).to.equal(true);
  });

  it('one whose token was revoked is woken, and none with another of the same user', async () => {
    const { owner, workspaceId } = team;
    const tokens = [await owner.tokens.create({ name: 'one' }), await owner.tokens.create({ name: 'other' })];
    const [revoked, valid] = tokens.map(({ id }) => wakeUps.listen(workspaceId, owner.userId, id));
    revoked!.offset = valid!.offset = await end();
    await owner.tokens.revoke({ tokenId: tokens[0]!.id });
    for (let n = 0; n < POLLS; n += 1) await poll();
    expect([await isRung(revoked!), await isRung(valid!)]).to.deep.equal([true, false]);
  });

  it('one who came after all others knew the end is looked at', async () => {
    const first = listens(await end());
    await poll();
    const second = listens((await end()) - 1);
    await poll();
    expect([await isRung(first), await isRung(second)]).to.deep.equal([false, true]);
  });

  it('all are woken by the next write, however often they were passed over', async () => {
    const all = [listens(await end()), listens(await end())];
    for (let n = 0; n < 3; n += 1) await poll();
    await team.page('Page');
    await poll();
    expect(await Promise.all(all.map(isRung))).to.deep.equal([true, true]);
  });
});
