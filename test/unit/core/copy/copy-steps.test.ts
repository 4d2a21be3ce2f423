import { expect } from 'chai';
import { seenBelow } from '../../../../core/copy/seen-below.ts';
import { createEngine } from '../../../../core/engine.ts';
import type { Viewer } from '../../../../core/access/viewer.ts';
import { atOnce, type Stepwise } from '../../../../core/kernel/stepwise.ts';
import { NEVER_YIELD } from '../../../../core/ports/yielder.ts';
import { buildStructure, changeStructure } from '../../../../core/tree/build.ts';
import { member, page, workspace } from '../../../contract/records.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { personOf } from '../../../fixtures/world/world.ts';

describe('the steps of a copy', () => {
  it('look once at all that is below the copied page, until the structure changes', () => {
    const acme = workspace();
    const ada = member(acme.id);
    const top = page(acme.id, { createdById: ada.id });
    const children = Array.from({ length: 3_000 }, (_, n) =>
      page(acme.id, { parentId: top.id, type: n < 900 ? 'folder' : 'task' }),
    );
    const structure = buildStructure(acme, 1, [ada], [top, ...children]);
    const viewer = (now = structure): Viewer =>
      ({
        structure: now,
        member: ada,
        principal: { memberId: ada.id, role: 40, membership: 1 },
        yielder: NEVER_YIELD,
        levels: new Map(),
      }) as unknown as Viewer;
    const first = countSteps(seenBelow(viewer(), top.id, false));
    expect(first.result).to.have.length(901);
    expect(first.steps).to.be.at.least(3_000 / 32 - 1);
    const again = countSteps(seenBelow(viewer(), top.id, false));
    expect([again.steps, again.result]).to.deep.equal([0, first.result]);
    // Others see, and ask for, something else.
    const guest = {
      ...viewer(),
      principal: { memberId: 'another', role: 10, membership: 1 },
      levels: new Map(),
    } as unknown as Viewer;
    expect(() => atOnce(seenBelow(guest, top.id, false))).to.throw();
    expect(() => atOnce(seenBelow(viewer(), top.id, true))).to.throw('More than 1000');
    expect(atOnce(seenBelow(viewer(), children[0]!.id, false))).to.have.length(1);
    const fewer = changeStructure(structure, { removedPages: [children[0]!.id] });
    expect(atOnce(seenBelow(viewer(fewer), top.id, false))).to.have.length(900);
  });

  it('let others run between tasks, more often where these have many tags', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const units = async (tagged: number) => {
      const board = await team.board(`Board of ${tagged}`);
      const tags: string[] = [];
      for (let n = 0; n < tagged; n += 1) {
        tags.push((await owner.tags.create({ ...at, boardId: board.id, name: `t${n}` })).id);
      }
      const tasks = Array.from({ length: 20 }, (_, n) => ({ boardId: board.id, title: `task ${n}`, tags }));
      await owner.tasks.createMany({ ...at, tasks });
      let done = 0;
      const yielder = () => ({
        step(count = 1) {
          done += count;
          return null;
        },
      });
      const engine = createEngine({ ...team.world.ports, yielder });
      const copy = await personOf(engine, owner.userId, 'Owner').boards.copy({
        ...at,
        boardId: board.id,
        name: 'Copy',
        tasks: true,
      });
      const { items } = await owner.tasks.list({ ...at, boardId: [copy.id] });
      expect(items.map((task) => task.tags.length)).to.deep.equal(tasks.map(() => tagged));
      return done;
    };
    const [few, many] = [await units(1), await units(96)];
    expect(few).to.be.at.least(20);
    expect(many - few).to.be.at.least(20 * 2);
  });
});

function countSteps<T>(work: Stepwise<T>): { readonly steps: number; readonly result: T } {
  for (let steps = 0; ; steps += 1) {
    const step = work.next();
    if (step.done === true) return { steps, result: step.value };
  }
}
