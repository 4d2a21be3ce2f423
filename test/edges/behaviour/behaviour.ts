import { expect } from 'chai';
import type { ErrorCode } from '../../../core/kernel/errors.ts';
import { failure } from '../../fixtures/errors.ts';
import type { Session } from '../../../core/session.ts';
import { join } from '../../fixtures/world/workspace.ts';
import type { Person } from './clients.ts';

/** What a behaviour starts from: a workspace of Ada's with a folder and a board with two columns and a tag. */
export interface Start {
  readonly people: Readonly<Record<Person, Session>>;
  /** Resolves when nothing deleted is left to be removed. */
  readonly idle: () => Promise<void>;
  readonly workspaceId: string;
  readonly folderId: string;
  readonly boardId: string;
  readonly todo: string;
  readonly done: string;
  readonly tagId: string;
  /** Their member ids, by name. Ben is a member, Cleo a guest. */
  readonly members: Readonly<Record<'ada' | 'ben' | 'cleo', string>>;
}

/** Something that holds of every session, wherever the engine is. */
export interface Behaviour {
  readonly name: string;
  readonly run: (start: Start) => Promise<void>;
}

export function behaviour(name: string, run: Behaviour['run']): Behaviour {
  return { name, run };
}

/** Asserts that a call fails with a code. */
export async function fails(code: ErrorCode, call: Promise<unknown>): Promise<void> {
  expect((await failure(call)).code).to.equal(code);
}

export const NOTHING = '018f6a3e-0000-7000-8000-0000000000ff';

export async function startFor(people: Start['people'], idle: Start['idle']): Promise<Start> {
  const { ada } = people;
  const { id: workspaceId, memberId } = await ada.workspaces.create({ name: 'Acme' });
  const joined = (who: 'ben' | 'cleo', role: 20 | 10) =>
    join(ada, { workspaceId }, people[who], role, `${who}@example.org`);
  const members = { ada: memberId, ben: await joined('ben', 20), cleo: await joined('cleo', 10) };
  const { id: folderId } = await ada.pages.create({ workspaceId, name: 'Folder', type: 'folder' });
  const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev', parentId: folderId });
  const at = { workspaceId, boardId };
  const { id: todo } = await ada.statuses.create({ ...at, name: 'Todo' });
  const { id: done } = await ada.statuses.create({ ...at, name: 'Done', done: true });
  const { id: tagId } = await ada.tags.create({ ...at, name: 'bug' });
  return { people, idle, workspaceId, folderId, boardId, todo, done, tagId, members };
}
