import type { BoardView } from '../../core/board/view.ts';
import type { MemberView } from '../../core/member/members.ts';
import type { PageView } from '../../core/page/view.ts';
import type { Session } from '../../core/session.ts';
import { missing, usage } from '../io/failure.ts';
import { isId } from './id.ts';
import { pick, type Named } from './resolve-name.ts';

/** A workspace in which things are found by what people call them. Looks each list up once. */
export class WorkspaceLookup {
  readonly session: Session;
  readonly workspaceId: string;
  #pages: Promise<readonly PageView[]> | undefined;
  #members: Promise<readonly MemberView[]> | undefined;
  readonly #boards = new Map<string, Promise<BoardView>>();

  constructor(session: Session, workspaceId: string) {
    this.session = session;
    this.workspaceId = workspaceId;
  }

  pages(): Promise<readonly PageView[]> {
    this.#pages ??= this.session.pages.list({ workspaceId: this.workspaceId });
    return this.#pages;
  }

  members(): Promise<readonly MemberView[]> {
    this.#members ??= this.session.members.list({ workspaceId: this.workspaceId });
    return this.#members;
  }

  /** Those who left as well. */
  formerMembers(): Promise<readonly MemberView[]> {
    return this.session.members.list({ workspaceId: this.workspaceId, former: true });
  }

  boardView(boardId: string): Promise<BoardView> {
    const known = this.#boards.get(boardId) ?? this.session.boards.get({ workspaceId: this.workspaceId, boardId });
    this.#boards.set(boardId, known);
    return known;
  }

  /** By id, name, or path from the top: `Engineering/Dev`. */
  async page(ref: string): Promise<string> {
    return isId(ref) ? ref : pick('page', ref, named(await this.pages()));
  }

  /** Its path as far as the caller sees it; the id of a page that they do not see. */
  async pathOf(pageId: string): Promise<string> {
    return pathsOf(await this.pages()).get(pageId) ?? pageId;
  }

  async board(ref: string): Promise<string> {
    if (isId(ref)) return ref;
    const pages = await this.pages();
    const boards = new Set(pages.filter((page) => page.type === 'board').map((page) => page.id));
    return pick(
      'board',
      ref,
      named(pages).filter(({ id }) => boards.has(id)),
    );
  }

  async status(boardId: string, ref: string): Promise<string> {
    return isId(ref) ? ref : pick('status', ref, (await this.boardView(boardId)).statuses.map(simple));
  }

  async tag(boardId: string, ref: string): Promise<string> {
    return isId(ref) ? ref : pick('tag', ref, (await this.boardView(boardId)).tags.map(simple));
  }

  /** By id, e-mail address or name; `me`. */
  async member(ref: string): Promise<string> {
    if (isId(ref)) return ref;
    if (ref === 'me') return (await this.session.workspaces.get({ workspaceId: this.workspaceId })).memberId;
    const members = (await this.members()).map(({ id, name, email }) => ({
      id,
      names: [email, name],
      shown: `${name} <${email}>`,
    }));
    return pick('member', ref, members);
  }

  /** By id, by number (`12` or `#12`), or by its exact title. */
  async task(ref: string): Promise<string> {
    if (isId(ref)) return ref;
    const num = /^#?(\d{1,15})$/.exec(ref)?.[1];
    return num === undefined ? this.#taskByTitle(ref) : this.#taskByNum(Number(num));
  }

  async #taskByTitle(title: string): Promise<string> {
    const { workspaceId, session } = this;
    const { items } = await session.tasks.list({ workspaceId, q: title, limit: 500 });
    const things = items.map((task) => ({ id: task.id, names: [task.title], shown: `#${task.num} ${task.title}` }));
    return pick('task', title, things);
  }

  async #taskByNum(num: number): Promise<string> {
    const { workspaceId, session } = this;
    const { items } = num < 1 ? { items: [] } : await session.tasks.list({ workspaceId, num: [num], limit: 1 });
    if (items[0] !== undefined) return items[0].id;
    throw missing(`There is no task #${num} here, or you may not see it.`, 'See what there is: espalier task list');
  }
}

/** The workspace that `--workspace` names; the only one there is where nothing is named. */
export async function openSpace(session: Session, ref: string | undefined): Promise<WorkspaceLookup> {
  return new WorkspaceLookup(session, await workspaceId(session, ref));
}

export async function workspaceId(session: Session, ref: string | undefined): Promise<string> {
  if (ref !== undefined && isId(ref)) return ref;
  const workspaces = await session.workspaces.list();
  const things = workspaces.map(({ id, alias, name }) => ({ id, names: [alias, name], shown: `${alias}  ${name}` }));
  if (ref !== undefined) return pick('workspace', ref, things);
  if (things.length === 1) return things[0]!.id;
  if (things.length === 0) {
    throw missing('You are in no workspace yet.', 'Create one: espalier workspace create --name NAME');
  }
  throw usage('Which workspace? Name one with --workspace.', ...things.map(({ shown }) => shown));
}

function simple({ id, name }: { readonly id: string; readonly name: string }): Named {
  return { id, names: [name], shown: name };
}

/** Pages are called by name and by path. */
function named(pages: readonly PageView[]): Named[] {
  const paths = pathsOf(pages);
  return pages.map(({ id, name, type }) => {
    const path = paths.get(id)!;
    return { id, names: path === name ? [name] : [name, path], shown: `${path} (${type})` };
  });
}

/** From the top to each page, by id: `Engineering/Dev`. */
function pathsOf(pages: readonly PageView[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  // Parents come before children.
  for (const page of pages) {
    const above = page.parentId === null ? undefined : paths.get(page.parentId);
    paths.set(page.id, above === undefined ? page.name : `${above}/${page.name}`);
  }
  return paths;
}
