import { expect } from 'chai';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { ManualTimers } from '../../fixtures/manual-timers.ts';
import { newTokenSession, newWorld, outcome, type World } from '../../fixtures/world/world.ts';
import { newTeam, type Team } from '../../fixtures/world/team.ts';

const HOUR = 3_600_000;
/** Longer than an owner goes on without being looked at. */
const MOMENT = 1_000;

describe('an export that takes long', () => {
  let world: World;
  let team: Team;
  let timers: ManualTimers;

  beforeEach(async () => {
    timers = new ManualTimers();
    world = newWorld(memoryStore(), 0, timers);
    team = await newTeam(world);
  });

  afterEach(() => expect(timers.count(HOUR)).to.equal(0));

  /** Runs something while the sink has the first record. */
  function exportDuring(by: Team['owner'] | World['operator'], meanwhile: () => unknown) {
    let records = 0;
    const sink = async () => {
      if (++records === 1) await meanwhile();
    };
    const ended = outcome(by.exports.workspace({ ...team.at, sink }));
    return ended.then((code) => ({ code, records }));
  }

  it('gives nothing more to a token that is revoked', async () => {
    const { tokenId, reader } = await newTokenSession(world, team.owner, null);
    const revoked = async () => {
      await team.owner.tokens.revoke({ tokenId });
      world.pass(MOMENT);
    };
    expect(await exportDuring(reader, revoked)).to.deep.equal({ code: 'unauthenticated', records: 1 });
  });

  it('gives nothing more to who is no owner any more', async () => {
    const { id: memberId } = (await team.owner.members.list(team.at)).find(
      ({ userId }) => userId === team.member.userId,
    )!;
    await team.owner.members.update({ ...team.at, memberId, role: 40 });
    const demoted = async () => {
      await team.owner.members.update({ ...team.at, memberId, role: 30 });
      world.pass(MOMENT);
    };
    expect(await exportDuring(team.member, demoted)).to.deep.equal({ code: 'forbidden', records: 1 });
  });

  it('ends after an hour, also while it waits for its reader', async () => {
    const never = () => {
      timers.pass(HOUR);
      return new Promise(() => {});
    };
    expect(await exportDuring(team.owner, never)).to.deep.equal({ code: 'snapshot-incomplete', records: 1 });
  });

  it('takes as long as the operator likes', async () => {
    const { code } = await exportDuring(world.operator, () => {
      timers.pass(2 * HOUR);
      world.pass(2 * HOUR);
    });
    expect(code).to.equal('ok');
  });
});
