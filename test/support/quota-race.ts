import { expect } from 'chai';
import type { Engine } from '../../core/engine.ts';
import type { Quotas } from '../../core/model/quotas.ts';
import { outcome, personOf } from './world.ts';

const QUOTAS = {
  tasks: 7,
  pages: 9,
  comments: 3,
  statuses: 4,
  members: 3,
  workspaces: 4,
  tokens: 5,
  invitations: 14,
  idempotencyKeys: 6,
} as const satisfies Quotas;
const AT_ONCE = 12;

/**
 * Many at once go for the last places, through several engines on the same data.
 *
 * @param open an engine behind quotas
 */
export async function raceForPlaces(open: (quotas: Quotas) => Promise<readonly Engine[]>): Promise<void> {
  const engines = await open(QUOTAS);
  const operator = { caller: { kind: 'operator' } } as const;
  const user = async (name: string) => (await engines[0]!.users.create(operator, { name, email: `${name}@x.org` })).id;
  const ada = await user('ada');
  const as = (i: number, userId = ada) => personOf(engines[i % engines.length]!, userId, '');
  const { id: workspaceId } = await as(0).workspaces.create({ name: 'Acme' });
  const at = { workspaceId };
  const board = await as(0).boards.create({ ...at, name: 'Kanban' });
  await as(0).statuses.create({ ...at, boardId: board.id, name: 'Open' });
  const { id: taskId } = await as(0).tasks.create({ ...at, boardId: board.id, title: 'first' });

  const race = async (call: (i: number) => Promise<unknown>): Promise<number> => {
    const results = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => outcome(call(i))));
    const made = results.filter((result) => result === 'ok').length;
    expect(results.filter((result) => result === 'quota-exceeded').length).to.equal(AT_ONCE - made);
    return made;
  };

  const boardId = board.id;
  expect(await race((i) => as(i).tasks.create({ ...at, boardId, title: 't' }))).to.equal(QUOTAS.tasks - 1);
  expect((await as(0).tasks.list(at)).items.length).to.equal(QUOTAS.tasks);
  expect(await race((i) => as(i).pages.create({ ...at, name: 'p', type: 'folder' }))).to.equal(QUOTAS.pages - 1);
  expect((await as(1).pages.list(at)).length).to.equal(QUOTAS.pages);
  expect(await race((i) => as(i).comments.create({ ...at, taskId, content: 'c' }))).to.equal(QUOTAS.comments);
  expect(await race((i) => as(i).statuses.create({ ...at, boardId, name: `s${i}` }))).to.equal(QUOTAS.statuses - 1);
  expect(await race((i) => as(i).workspaces.create({ name: `w${i}` }))).to.equal(QUOTAS.workspaces - 1);
  expect((await as(1).workspaces.list()).length).to.equal(QUOTAS.workspaces);
  expect(await race((i) => as(i).tokens.create({ name: `t${i}` }))).to.equal(QUOTAS.tokens);
  const keyed = { caller: { kind: 'user', userId: ada } } as const;
  const withKey = (i: number) =>
    engines[i % engines.length]!.me.update({ ...keyed, once: { key: `k${i}`, digest: 'd' } }, { phone: String(i) });
  expect(await race(withKey)).to.equal(QUOTAS.idempotencyKeys);
  const people: string[] = [];
  const invitations: string[] = [];
  for (let i = 0; i < AT_ONCE; i += 1) {
    people.push(await user(`guest${i}`));
    invitations.push((await as(0).invitations.create({ ...at, role: 10 })).id);
  }
  const invited = await race((i) => as(i).invitations.create({ ...at, role: 10 }));
  expect(invited).to.equal(QUOTAS.invitations - AT_ONCE);
  const joined = await race((i) => as(i, people[i]).invitations.join({ invitationId: invitations[i]! }));
  expect(joined).to.equal(QUOTAS.members - 1);
  expect((await engines[0]!.doctor.check(operator)).findings).to.deep.equal([]);
}
