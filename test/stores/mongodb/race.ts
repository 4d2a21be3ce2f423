import { assert, expect } from 'chai';
import type { BoardView } from '../../../core/board/view.ts';
import { eventually } from '../../fixtures/mongod.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../fixtures/mongodb.ts';
import { outcome, type Person } from '../../fixtures/world.ts';
import { type Service, serviceOn } from './service.ts';

/** Two processes on one store, and a race between two calls. */
export interface Race {
  readonly one: Service;
  readonly other: Service;
  /** Both calls, the first held until the second has run into it or is through. */
  run(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<[string, string]>;
  newWorkspace(): ReturnType<typeof newWorkspaceOn>;
  member(
    workspaceId: string,
    by: Person,
    userId: string,
    role?: 10 | 20 | 30 | 40,
  ): ReturnType<Person['invitations']['join']>;
}

/** Opens both processes before each test, on an empty store, and closes them after it. */
export function betweenTwoProcesses(): Race {
  let one: Service;
  let other: Service;

  before(async function () {
    await mongodbUrl(this);
  });

  beforeEach(async () => {
    one = await serviceOn((options) => emptyMongodbStore('races', options));
    other = await serviceOn((options) => mongodbPeer('races', options));
  });

  afterEach(async () => {
    await Promise.all([one.store.close(), other.store.close()]);
  });

  return {
    get one() {
      return one;
    },
    get other() {
      return other;
    },
    async run(first, second) {
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
    newWorkspace: () => newWorkspaceOn(one),
    async member(workspaceId, by, userId, role = 20) {
      const invitation = await by.invitations.create({ workspaceId, role });
      return one.as(userId).invitations.join({ invitationId: invitation.id });
    },
  };
}

async function newWorkspaceOn(one: Service) {
  const operator = { caller: { kind: 'operator' } } as const;
  const user = async (name: string) => (await one.engine.users.create(operator, { name, email: `${name}@x.org` })).id;
  const [ada, bob] = [await user('ada'), await user('bob')];
  const asAda = one.as(ada);
  const { id: workspaceId } = await asAda.workspaces.create({ name: 'Acme' });
  const board = await asAda.boards.create({ workspaceId, name: 'Kanban' });
  const status = await asAda.statuses.create({ workspaceId, boardId: board.id, name: 'Open' });
  return { operator, user, ada, bob, asAda, workspaceId, board, status };
}

/** The input of a new task. */
export function newTask(workspaceId: string, board: Pick<BoardView, 'id'>) {
  return { workspaceId, boardId: board.id, title: 'T' };
}
