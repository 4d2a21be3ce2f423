import * as fc from 'fast-check';
import { LEVELS, type Level } from '../../../core/model/access/level.ts';
import { ROLES } from '../../../core/model/access/role.ts';
import type { Person } from '../../fixtures/world/world.ts';
import { outcome } from '../../fixtures/world/world.ts';

/** One thing that a member tries, with random picks. */
export interface Action {
  readonly verb: keyof typeof VERBS;
  readonly page: number;
  readonly other: number;
  readonly member: number;
  readonly level: Level;
  readonly flag: boolean;
}

export type Run = (who: Person, at: { readonly workspaceId: string }, pick: Picked, action: Action) => Promise<unknown>;

export interface Picked {
  readonly pageId: string;
  readonly otherId: string;
  readonly memberId: string;
  /** Invitations without an address, which any user may accept. */
  readonly invitationIds: readonly string[];
}

/** All that a member can do that touches access. */
export const VERBS = {
  grant: (who, at, { pageId, memberId }, { level }) => who.access.grant({ ...at, pageId, memberId, access: level }),
  revoke: (who, at, { pageId, memberId }) => who.access.revoke({ ...at, pageId, memberId }),
  settings: (who, at, { pageId }, { level, flag }) =>
    who.access.changeSettings({
      ...at,
      pageId,
      ...(flag ? { inherit: true } : { inherit: false, defaultAccess: level }),
    }),
  move: (who, at, { pageId, otherId }, { flag }) =>
    who.pages.update({ ...at, pageId, parentId: flag ? null : otherId }),
  create: (who, at, { otherId }, { flag }) =>
    who.pages.create({ ...at, name: 'new', type: 'folder', parentId: flag ? null : otherId }),
  delete: (who, at, { pageId }) => who.pages.delete({ ...at, pageId }),
  role: (who, at, { memberId }, { other }) =>
    who.members.update({ ...at, memberId, role: ROLES[other % ROLES.length]! }),
  default: (who, at, _, { level }) => who.workspaces.update({ ...at, defaultAccess: level }),
  remove: (who, at, { memberId }) => who.members.remove({ ...at, memberId }),
  ownRole: async (who, at, _, { other }) => {
    const { memberId } = await who.workspaces.get(at);
    return who.members.update({ ...at, memberId, role: ROLES[other % ROLES.length]! });
  },
  ownEntry: async (who, at, { pageId }, { level, flag }) => {
    const { memberId } = await who.workspaces.get(at);
    return flag
      ? who.access.grant({ ...at, pageId, memberId, access: level })
      : who.access.revoke({ ...at, pageId, memberId });
  },
  leave: async (who, at) => who.members.remove({ ...at, memberId: (await who.workspaces.get(at)).memberId }),
  join: (who, _, { invitationIds }, { other }) =>
    who.invitations.join({ invitationId: invitationIds[other % Math.max(1, invitationIds.length)] ?? '' }),
  invite: async (who, at, { pageId }, { level, other }) => {
    const role = ROLES[other % ROLES.length]!;
    const { id } = await who.invitations.create({ ...at, role, pages: [{ pageId, access: level }] });
    // As they are, and after leaving.
    await outcome(who.invitations.join({ invitationId: id }));
    const own = (await who.workspaces.get(at)).memberId;
    await who.members.remove({ ...at, memberId: own });
    await who.invitations.join({ invitationId: id });
  },
} satisfies Record<string, Run>;

export const action: fc.Arbitrary<Action> = fc.record({
  verb: fc.constantFrom(...(Object.keys(VERBS) as (keyof typeof VERBS)[])),
  page: fc.nat({ max: 100 }),
  other: fc.nat({ max: 100 }),
  member: fc.nat({ max: 100 }),
  level: fc.constantFrom(...LEVELS),
  flag: fc.boolean(),
});
