import { ROLES } from '../../../../../core/model/access/role.ts';
import { level, maybe, member, metadata, METADATA_KEYS, one, simple, type Steps } from '../sequence-inputs.ts';

/** What a step may do to members and the workspace. */
export const MEMBER_STEPS: Steps = [
  [1, simple('members', 'update', (state, place) => ({ ...member(state, place), role: state.random.pick(ROLES) }))],
  [1, simple('members', 'update', (state, place) => ({ ...member(state, place), metadata: metadata(state) }))],
  [1, simple('members', 'remove', member)],
  [
    2,
    (state, place) => ({
      noun: 'invitations',
      verb: 'create',
      input: {
        role: state.random.pick(ROLES),
        ...maybe(state, () => ({ pages: [{ pageId: one(state, place.pages), access: level(state) }] }), 2),
      },
      learn: ({ id }: { id: string }) => void place.invitations.push(id),
    }),
  ],
  [
    3,
    (state, place) => ({
      noun: 'invitations',
      verb: 'join',
      input: { invitationId: one(state, place.invitations) },
      learn: ({ id }: { id: string }) => void (place.members.includes(id) || place.members.push(id)),
    }),
  ],
  [1, simple('invitations', 'revoke', (state, place) => ({ invitationId: one(state, place.invitations) }))],
  [
    1,
    simple('workspaces', 'update', (state) => ({
      description: state.name(),
      defaultAccess: level(state),
      metadata: metadata(state),
      ...maybe(state, () => ({ indexedMetadata: state.random.some(METADATA_KEYS, 2) })),
    })),
  ],
];
