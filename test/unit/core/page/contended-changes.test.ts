import { expect } from 'chai';
import { StructureCache } from '../../../../adapters/store-kv/structure/structure-cache.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import type { Structure } from '../../../../core/model/workspace/structure.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { StructureReserved } from '../../../../core/write/reservation.ts';
import { countingKvStore } from '../../../fixtures/store/counting-kv-store.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, outcome, personOf, type Person } from '../../../fixtures/world/world.ts';

/** More than is computed in a write. */
const MANY = 510;
/** More than are listed with an item of the trash. */
const SETTING_ACCESS = 201;
/** How often a change is computed while others change the structure, and how often in all. */
const [FREE, MOST] = [3, 6];

/** What one caller can make large, once there are many pages below `pageId`. An owner needs no look at these to delete them. */
const CHANGES: Readonly<Record<string, (who: Person, at: Team['at'], pageId: string) => Promise<unknown>>> = {
  'deleting a page': (who, at, pageId) => who.pages.delete({ ...at, pageId }),
  'restoring it': (who, at, trashId) => who.trash.restore({ ...at, trashId }),
  'deleting it from the trash': (who, at, trashId) => who.trash.delete({ ...at, trashId }),
};

/** Keeps no structure once it is told to: as where so many workspaces are used that each is dropped at once. */
class ForgettingCache extends StructureCache {
  forgets = false;

  override get(workspaceId: string, revision: number): Structure | undefined {
    return this.forgets ? undefined : super.get(workspaceId, revision);
  }

  override askedAgain(workspaceId: string): boolean {
    return this.forgets || super.askedAgain(workspaceId);
  }
}

/** A store that is another one to the engine, as that of another process. */
function elsewhere(store: Store): Store {
  return {
    read: (work) => store.read(work),
    write: (work) => store.write(work),
    ready: () => store.ready(),
    close: () => store.close(),
  };
}

/** A workspace with a page that has many below it: in the trash already, unless it is to be deleted. */
async function largeTeam(store: Store, inTrash: boolean): Promise<{ readonly team: Team; readonly top: string }> {
  const team = await newTeam(newWorld(store, 0, undefined, DAY));
  const top = await largePage(team);
  if (inTrash) await team.owner.pages.delete({ ...team.at, pageId: top });
  return { team, top };
}

async function largePage(team: Team): Promise<string> {
  const top = await team.page('top');
  const pages: string[] = [];
  for (let i = 0; i < MANY; i += 1) pages.push(await team.page(`p${i}`, pages.at(-8) ?? top));
  // Where so many set access, all are looked at when it is deleted from the trash.
  for (const pageId of pages.slice(0, SETTING_ACCESS)) await team.grant(pageId, team.member, 200);
  return top;
}

describe('large changes on a store that keeps no structure in memory', () => {
  for (const [name, run] of Object.entries(CHANGES)) {
    it(`end with what was computed once: ${name}`, async () => {
      const cache = new ForgettingCache();
      const asked = { got: [], put: [] };
      const { team, top } = await largeTeam(countingKvStore(asked, undefined, cache), name !== 'deleting a page');
      cache.forgets = true;
      let plans = 0;
      const yieldToEventLoop = async () => void (plans += 1);
      const ada = personOf(createEngine({ ...team.world.ports, yieldToEventLoop }), team.admin.userId, 'Ada');
      await run(ada, team.at, top);
      expect(plans).to.equal(1);
      const listed = (await team.owner.pages.list(team.at)).map(({ id }) => id);
      expect(listed.includes(top)).to.equal(name === 'restoring it');
    });
  }
});

describe('large changes while others have large changes computed', () => {
  it('end with what was computed once', async () => {
    const { team, top } = await largeTeam(memoryStore(), false);
    const another = await largePage(team);
    let plans = 0;
    const yieldToEventLoop = async () => {
      plans += 1;
      // It is computed, and then refused.
      const refused = team.owner.ifVersion(99).pages.delete({ ...team.at, pageId: another });
      expect(await outcome(refused)).to.equal('version-mismatch');
    };
    const ada = personOf(createEngine({ ...team.world.ports, yieldToEventLoop }), team.admin.userId, 'Ada');
    await ada.pages.delete({ ...team.at, pageId: top });
    expect(plans).to.equal(1);
  });
});

describe('large changes while others keep changing the workspace', () => {
  for (const [name, run] of Object.entries(CHANGES)) {
    describe(name, () => {
      let store: Store;
      let team: Team;
      let top: string;
      /** Called by the engine of Ada each time it has computed what it will write. */
      let meanwhile: () => Promise<unknown>;
      let plans: number;
      let ada: Person;
      let others: () => Person;
      let refused: () => void;

      beforeEach(async () => {
        const memory = memoryStore();
        store = {
          ...elsewhere(memory),
          write: (work) =>
            memory.write(work).catch((error: unknown) => {
              if (error instanceof StructureReserved) refused();
              throw error;
            }),
        };
        ({ team, top } = await largeTeam(store, name !== 'deleting a page'));
        plans = 0;
        const yieldToEventLoop = async () => {
          plans += 1;
          await meanwhile();
        };
        const engine = createEngine({ ...team.world.ports, yieldToEventLoop });
        ada = personOf(engine, team.admin.userId, 'Ada');
        others = () => personOf(engine, team.owner.userId, 'Owner');
      });

      it('has the others of this process wait in the end, who hold no transaction', async () => {
        const changes: Promise<string>[] = [];
        let waits = 0;
        meanwhile = async () => {
          const isRefused = new Promise<void>((resolve) => {
            refused = () => {
              waits += 1;
              resolve();
            };
          });
          const page = { ...team.at, name: `meanwhile ${plans}`, type: 'folder' } as const;
          const change = others().pages.create(page);
          changes.push(change.then(({ id }) => id));
          await Promise.race([change, isRefused]);
          // What does not change the structure goes on.
          await team.owner.workspaces.get(team.at);
          await others().me.update({ name: `Owner ${plans}` });
        };
        await run(ada, team.at, top);
        expect([plans, waits]).to.deep.equal([FREE + 1, 1]);
        const made = await Promise.all(changes);
        const listed = (await team.owner.pages.list(team.at)).map(({ id }) => id);
        expect(listed).to.include.members(made);
        expect(listed.includes(top)).to.equal(name === 'restoring it');
      });

      it('has no copy of others fail', async () => {
        const board = await team.board('board');
        await team.task(board.id, 'task');
        const page = { ...team.at, name: 'meanwhile', type: 'folder' } as const;
        const copy = { ...team.at, boardId: board.id, name: 'copy', tasks: true };
        let copies = 0;
        meanwhile = async () => {
          if (plans <= FREE) await others().pages.create(page);
          else if (copies++ === 0) await others().boards.copy(copy);
        };
        await run(ada, team.at, top);
        const listed = await team.owner.pages.list(team.at);
        expect(listed.map(({ name }) => name)).to.include('copy');
      });

      it('is refused where others in other processes change it each time, and leaves nothing reserved', async () => {
        const other = personOf(
          createEngine({ ...team.world.ports, store: elsewhere(store) }),
          team.owner.userId,
          'Other',
        );
        meanwhile = () => other.pages.create({ ...team.at, name: `meanwhile ${plans}`, type: 'folder' });
        const before = (await team.owner.pages.list(team.at)).length;
        expect(await outcome(run(ada, team.at, top))).to.equal('store-busy');
        expect(plans).to.equal(MOST);
        const listed = await team.owner.pages.list(team.at);
        expect(listed.length).to.equal(before + MOST);
        await team.page('afterwards');
        meanwhile = async () => undefined;
        expect(await outcome(run(ada, team.at, top))).to.equal('ok');
      });
    });
  }
});
