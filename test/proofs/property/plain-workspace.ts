import * as fc from 'fast-check';
import { LEVELS, type Level } from '../../../core/model/access/level.ts';
import { effective, principalOf } from '../../../core/access/resolve.ts';
import type { Member } from '../../../core/model/workspace/member.ts';
import { pageEntry } from '../../../core/model/access/page-entry.ts';
import type { Page } from '../../../core/model/workspace/page.ts';
import { created } from '../../../core/kernel/record.ts';
import type { Structure } from '../../../core/model/workspace/structure.ts';
import type { User } from '../../../core/model/user/user.ts';
import { newWorld, personOf, type Person, type World } from '../../fixtures/world/world.ts';
import type { PlainMember, PlainPage, PlainWorkspace } from './oracle.ts';

/** ESPALIER_WORLDS: how many random worlds each property sees. */
export const WORLDS = Number(process.env['ESPALIER_WORLDS'] ?? 600);

const level = fc.constantFrom(...LEVELS);

const member: fc.Arbitrary<PlainMember> = fc.record({
  role: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(40, 30, 20, 20, 10, 10) },
    { weight: 1, arbitrary: fc.constantFrom(25, 0, 50) },
  ),
  active: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  disabled: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  membership: fc.constantFrom(1, 1, 1, 2, 3),
});

/** The first member is an owner who can sign in: someone has to look. */
const members = fc
  .array(member, { minLength: 2, maxLength: 5 })
  .map((others) => [{ role: 40, active: true, disabled: false, membership: 1 }, ...others]);

export const plainWorkspace: fc.Arbitrary<PlainWorkspace> = members.chain((all) => {
  // Half of them were made for the present membership.
  const entry = fc.record({ level, ago: fc.constantFrom(0, 0, 1, 2) });
  const entries = fc.array(fc.tuple(fc.nat({ max: all.length - 1 }), entry), { maxLength: 3 });
  const made = ([m, { level: given, ago }]: readonly [number, { level: Level; ago: number }]) =>
    [m, { level: given, membership: Math.max(1, all[m]!.membership - ago) }] as const;
  const page = fc.record({
    above: fc.nat({ max: 1000 }),
    inherit: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
    defaultAccess: level,
    entries,
  });
  return fc.record({
    defaultAccess: level,
    members: fc.constant(all),
    pages: fc.array(page, { minLength: 1, maxLength: 9 }).map((pages) =>
      pages.map(({ above, entries: given, ...rest }, i): PlainPage => ({
        ...rest,
        parent: above % (i + 1) === i ? null : above % (i + 1),
        entries: new Map(given.map(made)),
      })),
    ),
  });
});

/** A plain world, put into a store. */
export interface Built {
  readonly world: World;
  readonly workspaceId: string;
  readonly people: readonly Person[];
  readonly memberIds: readonly string[];
  readonly pageIds: readonly string[];
  readonly structure: () => Promise<Structure>;
  /** Every member's level on every page of the plain world, as the core resolves it now; null: no such page. */
  readonly matrix: () => Promise<readonly (readonly (Level | null)[])[]>;
}

const hex = (n: number, kind: string) => `${kind}0000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

export async function build(plain: PlainWorkspace): Promise<Built> {
  const world = newWorld();
  const at = world.time();
  const workspaceId = hex(0, 'a');
  const memberIds = plain.members.map((_, i) => hex(i, 'b'));
  const pageIds = plain.pages.map((_, i) => hex(i, 'c'));
  const userIds = plain.members.map((_, i) => hex(i, 'd'));
  await world.store.write(async (tx) => {
    for (const [i, { disabled }] of plain.members.entries())
      await tx.users.insert(userOf(userIds[i]!, i, disabled, at));
    const all = plain.members.map(({ role, active, membership }, i): Member => ({
      id: memberIds[i]!,
      workspaceId,
      userId: userIds[i]!,
      role,
      position: '',
      active,
      leftAt: active ? null : at,
      membership,
      ...created(at),
    }));
    const { defaultAccess } = plain;
    const workspace = { id: workspaceId, name: 'W', alias: 'w', description: '', defaultAccess, ...created(at) };
    const structure = await tx.structures.insert(workspace, all[0]!);
    const pages = plain.pages.map((page, i) => pageOf(page, i, workspaceId, pageIds, memberIds, at));
    await tx.structures.change(structure, { members: all.slice(1), pages });
  });
  const structure = () => world.store.read(async (tx) => (await tx.structures.get(workspaceId))!);
  return {
    world,
    workspaceId,
    people: userIds.map((id, i) => personOf(world.engine, id, `user ${i}`)),
    memberIds,
    pageIds,
    structure,
    matrix: async () => {
      const now = await structure();
      const users = await world.store.read((tx) => tx.users.many(userIds));
      return memberIds.map((id, i) => {
        const who = principalOf(now.member(id), users.get(userIds[i]!));
        return pageIds.map((pageId) => (now.page(pageId) === undefined ? null : effective(now, who, pageId)));
      });
    },
  };
}

function userOf(id: string, i: number, disabled: boolean, at: string): User {
  const name = `user ${i}`;
  const email = `user${i}@example.org`;
  return {
    id,
    name,
    email,
    emailVerified: true,
    avatar: null,
    phone: null,
    administrator: false,
    disabled,
    ...created(at),
  };
}

function pageOf(
  page: PlainPage,
  i: number,
  workspaceId: string,
  pageIds: readonly string[],
  memberIds: readonly string[],
  at: string,
): Page {
  return {
    id: pageIds[i]!,
    workspaceId,
    name: `page ${i}`,
    type: 'folder',
    parentId: page.parent === null ? null : pageIds[page.parent]!,
    orderKey: i * 1024,
    contentId: null,
    boardId: null,
    createdById: memberIds[i % memberIds.length]!,
    settings: { inherit: page.inherit, defaultAccess: page.inherit ? null : page.defaultAccess, ...created(at) },
    entries: Object.fromEntries(
      [...page.entries].map(([index, { level, membership }]) => [memberIds[index]!, pageEntry(level, membership)]),
    ),
    ...created(at),
  };
}
