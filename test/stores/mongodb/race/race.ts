import { assert, expect } from 'chai';
import type { BoardView } from '../../../../core/board/view.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import type { Service } from '../service.ts';
import { twoProcesses } from '../cache/two-processes.ts';

/** Two processes on one store, and races between two calls. */
export function betweenTwoProcesses() {
  const processes = twoProcesses('races');
  return {
    get one() {
      return processes.one;
    },
    get other() {
      return processes.other;
    },
    /**
     * Runs both calls: the first is held in its process when all its work is done and nothing is committed, the
     * second is started in the other process and has met the first or is done before that goes on.
     */
    async run(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<[string, string]> {
      const { one, other } = processes;
      const hold = one.holdNext();
      const held = outcome(first());
      await Promise.race([hold.reached, held]);
      const before = other.conflicts();
      let through = false;
      const meanwhile = outcome(second()).finally(() => (through = true));
      await eventually(async () => assert(through || other.conflicts() > before));
      hold.goOn();
      const results: [string, string] = [await held, await meanwhile];
      const report = await one.engine.doctor.check({ caller: { kind: 'operator' } });
      expect(report.findings).to.deep.equal([]);
      return results;
    },
    newWorkspace: () => newWorkspaceOn(processes.one),
  };
}

async function newWorkspaceOn(one: Service) {
  const operator = { caller: { kind: 'operator' } } as const;
  const user = async (name: string) => (await one.engine.users.create(operator, { name, email: `${name}@x.org` })).id;
  const [ada, bob] = [await user('ada'), await user('bob')];
  const asAda = one.as(ada);
  const { id: workspaceId } = await asAda.workspaces.create({ name: 'Acme' });
  const board = await asAda.boards.create({ workspaceId, name: 'Kanban' });
  await asAda.statuses.create({ workspaceId, boardId: board.id, name: 'Open' });
  return { operator, user, ada, bob, asAda, workspaceId, board };
}

/** The input of a new task. */
export function newTask(workspaceId: string, board: Pick<BoardView, 'id'>) {
  return { workspaceId, boardId: board.id, title: 'T' };
}
