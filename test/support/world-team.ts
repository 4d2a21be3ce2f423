import type { Level } from '../../core/model/level.ts';
import type { Role } from '../../core/model/role.ts';
import type { PageType } from '../../core/model/page.ts';
import { newWorld, type Person, type World } from './world.ts';

/** A person who is a member of the team's workspace. */
export interface Mate extends Person {
  readonly memberId: string;
}

/** A workspace with one member of each role, and someone who is none. */
export interface Team {
  readonly world: World;
  readonly workspaceId: string;
  /** What begins the input of most calls. */
  readonly at: { readonly workspaceId: string };
  readonly owner: Mate;
  readonly admin: Mate;
  readonly member: Mate;
  readonly guest: Mate;
  readonly outsider: Person;
  /** Someone new in the workspace. */
  readonly join: (name: string, role: Role) => Promise<Mate>;
  /** Made by the owner. @returns its id */
  readonly page: (name: string, parentId?: string | null, type?: PageType) => Promise<string>;
  /** Made by the owner, with one status. */
  readonly board: (name: string, parentId?: string | null) => Promise<BoardAt>;
  /** Made by the owner in the first status. @returns its id */
  readonly task: (boardId: string, title: string) => Promise<string>;
  readonly grant: (pageId: string, mate: Mate, access: Level) => Promise<void>;
  /** Someone new, with exactly this level on a page. */
  readonly withLevel: (pageId: string, access: Level) => Promise<Mate>;
  readonly access: (mate: Mate, pageId: string) => Promise<number>;
}

export interface BoardAt {
  readonly id: string;
  readonly todo: string;
}

export async function newTeam(world = newWorld(), defaultAccess: Level = 300): Promise<Team> {
  const ada = await world.user('Owner');
  const { id: workspaceId, memberId } = await ada.workspaces.create({ name: 'Acme', defaultAccess });
  const at = { workspaceId };
  const owner: Mate = { ...ada, memberId };
  let others = 0;
  const join = async (name: string, role: Role): Promise<Mate> => {
    const person = await world.user(name);
    const { id } = await owner.invitations.create({ ...at, role });
    const member = await person.invitations.join({ invitationId: id });
    return { ...person, memberId: member.id };
  };
  const page = async (name: string, parentId: string | null = null, type: PageType = 'folder') =>
    (await owner.pages.create({ ...at, name, type, parentId })).id;
  const grant = async (pageId: string, mate: Mate, access: Level) => {
    await owner.access.grant({ ...at, pageId, memberId: mate.memberId, access });
  };
  return {
    world,
    workspaceId,
    at,
    owner,
    admin: await join('Admin', 30),
    member: await join('Member', 20),
    guest: await join('Guest', 10),
    outsider: await world.user('Outsider'),
    join,
    page,
    grant,
    board: async (name, parentId = null) => {
      const { id } = await owner.boards.create({ ...at, name, parentId });
      const { id: todo } = await owner.statuses.create({ ...at, boardId: id, name: 'To do' });
      return { id, todo };
    },
    task: async (boardId, title) => (await owner.tasks.create({ ...at, boardId, title })).id,
    withLevel: async (pageId, access) => {
      const mate = await join(`Level${access}n${(others += 1)}`, 20);
      await grant(pageId, mate, access);
      return mate;
    },
    access: async (mate, pageId) => {
      const everyone = await owner.access.members({ ...at, pageId });
      return everyone.find((entry) => entry.memberId === mate.memberId)?.access ?? 0;
    },
  };
}
