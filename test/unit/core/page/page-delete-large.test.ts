import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { outcome, personOf } from '../../../fixtures/world/world.ts';

/** More than is computed while others wait. */
const MANY = 600;

async function chains(team: Team, top: string): Promise<string[]> {
  const pages: string[] = [];
  for (let i = 0; i < MANY; i += 1) pages.push(await team.page(`p${i}`, pages.at(-8) ?? top));
  return pages;
}

describe('pages: deleting a great many', () => {
  it('keeps nobody from writing, and heeds what they change meanwhile', async () => {
    const team = await newTeam();
    const { owner, member, at } = team;
    const top = await team.page('top');
    await team.grant(top, member, 400);
    const nested = await chains(team, top);
    const deep = nested.at(-1)!;
    let meanwhile: (() => Promise<unknown>) | null = null;
    const yieldToEventLoop = async () => {
      const change = meanwhile;
      meanwhile = null;
      await change?.();
    };
    const mia = personOf(createEngine({ ...team.world.ports, yieldToEventLoop }), member.userId, 'Mia');
    const changes = [
      [() => team.grant(deep, member, 0), 'hidden-content'],
      [() => team.grant(deep, member, 200), 'forbidden'],
      [() => Promise.all([team.grant(deep, member, 300), team.grant(top, member, 300)]), 'forbidden'],
      [() => owner.members.remove({ ...at, memberId: member.memberId }), 'not-found'],
    ] as const;
    for (const [change, expected] of changes) {
      await team.grant(top, member, 400);
      // What was found out before is of no use any more.
      await owner.pages.update({ ...at, pageId: deep, name: `before ${String(change)}` });
      meanwhile = change;
      expect(await outcome(mia.pages.delete({ ...at, pageId: top })), String(change)).to.equal(expected);
      expect(meanwhile, String(change)).to.equal(null);
      expect((await owner.pages.list(at)).length).to.equal(1 + MANY);
    }
    const ada = personOf(createEngine({ ...team.world.ports, yieldToEventLoop }), owner.userId, 'Ada');
    meanwhile = () => team.page('made meanwhile', deep);
    await ada.pages.delete({ ...at, pageId: top });
    expect(meanwhile).to.equal(null);
    expect(await owner.pages.list(at)).to.deep.equal([]);
    expect(await outcome(owner.pages.get({ ...at, pageId: deep }))).to.equal('not-found');
  });

  it('looks at them in no write for those who may not delete them', async () => {
    const team = await newTeam();
    const { member, at } = team;
    const top = await team.page('top');
    await chains(team, top);
    const { store } = team.world.ports;
    let writes = 0;
    const counted = new Proxy(store, {
      get(target, name) {
        if (name === 'write') writes += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const mia = personOf(createEngine({ ...team.world.ports, store: counted }), member.userId, 'Mia');
    expect(await outcome(mia.pages.delete({ ...at, pageId: top }))).to.equal('forbidden');
    expect(writes).to.equal(1);
  });

  it('takes the pages of tasks along that stand elsewhere, and writes down whose access went', async () => {
    const team = await newTeam();
    const { owner, member, at } = team;
    const board = await team.board('Board');
    const elsewhere = await team.page('Elsewhere');
    const nested = await chains(team, board.id);
    const task = await team.page('Task', nested[0], 'task');
    await owner.pages.update({ ...at, pageId: task, parentId: elsewhere });
    const below = await team.page('Below', task);
    const granted = [nested[3]!, nested.at(-1)!, below];
    for (const pageId of granted) await team.grant(pageId, member, 100);
    await owner.boards.delete({ ...at, boardId: board.id });
    expect((await owner.pages.list(at)).map(({ id }) => id)).to.deep.equal([elsewhere]);
    await finishJobs(team.world.ports);
    const { items } = await owner.audit.list({ ...at, limit: 10 });
    const gone = items.filter(({ action }) => action === 'page.delete');
    expect(new Set(gone.map(({ recordId }) => recordId))).to.deep.equal(new Set(granted));
  });
});
