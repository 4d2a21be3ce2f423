import { isEmail } from '../../adapters/schemas/formats.ts';
import { slicesOf } from '../../core/kernel/slices.ts';
import { allItems } from '../all-items.ts';
import type { BoardView } from '../../core/board/view.ts';
import type { AccessEntry } from '../../core/access/members-access.ts';
import type { Level } from '../../core/model/access/level.ts';
import type { MemberView } from '../../core/member/members.ts';
import type { PageType } from '../../core/model/workspace/page.ts';
import type { PageView } from '../../core/page/view.ts';
import type { Session } from '../../core/session.ts';
import type { WorkspaceView } from '../../core/workspace/workspaces.ts';
import { missing, usage } from '../io/failure.ts';
import { shellWord } from '../io/shell-word.ts';
import { isId } from '../../core/kernel/id.ts';
import { namedPages, pathsOf } from './page-names.ts';
import { allNamed, ambiguous, distinctNames, fold, noSuchName, resolveName, type NamedRecord } from './resolve-name.ts';

/** The most concurrent requests for boards. */
const CONCURRENT_REQUESTS = 8;
/** The longest text of a search, in characters. */
const MAX_SEARCH = 500;
/** The most suggestions of tasks with other titles. */
const MAX_SUGGESTIONS = 9;

export type BoardPart = 'status' | 'tag';

/** A status or tag with its board. */
export interface NamedBoardPart extends NamedRecord {
  readonly boardId: string;
}

/** Finds records of a workspace by name. Each list is read once. */
export class WorkspaceLookup {
  readonly session: Session;
  readonly workspaceId: string;
  #pages: Promise<readonly PageView[]> | undefined;
  #members: Promise<readonly MemberView[]> | undefined;
  #levels: Promise<ReadonlyMap<string, Level>> | undefined;
  readonly #access = new Map<string, Promise<readonly AccessEntry[]>>();
  readonly #boards = new Map<string, Promise<BoardView>>();

  constructor(session: Session, workspaceId: string) {
    this.session = session;
    this.workspaceId = workspaceId;
  }

  pages(): Promise<readonly PageView[]> {
    this.#pages ??= this.session.pages.list({ workspaceId: this.workspaceId });
    return this.#pages;
  }

  /** The level of the caller on a page; undefined if they do not see it. */
  async levelOn(pageId: string): Promise<Level | undefined> {
    this.#levels ??= this.pages().then((pages) => new Map(pages.map(({ id, access }) => [id, access])));
    return (await this.#levels).get(pageId);
  }

  /** The level of each active member on a page, as far as the caller may read them. */
  accessOn(pageId: string): Promise<readonly AccessEntry[]> {
    const { session, workspaceId } = this;
    const known = this.#access.get(pageId) ?? session.access.members({ workspaceId, pageId });
    this.#access.set(pageId, known);
    return known;
  }

  members(): Promise<readonly MemberView[]> {
    this.#members ??= this.session.members.list({ workspaceId: this.workspaceId });
    return this.#members;
  }

  /** Including former members. */
  formerMembers(): Promise<readonly MemberView[]> {
    return this.session.members.list({ workspaceId: this.workspaceId, former: true });
  }

  boardView(boardId: string): Promise<BoardView> {
    const known = this.#boards.get(boardId) ?? this.session.boards.get({ workspaceId: this.workspaceId, boardId });
    this.#boards.set(boardId, known);
    return known;
  }

  /** By id, name, or path from the top: `Engineering/Launch`, or `/Launch` at the top itself. */
  async page(ref: string): Promise<string> {
    return isId(ref) ? ref : resolveName('page', ref, await this.namedPages());
  }

  /** See {@link namedPages}. @param types default: all */
  async namedPages(types?: readonly PageType[]): Promise<readonly NamedRecord[]> {
    const pages = await this.pages();
    const named = namedPages(pages);
    return types === undefined ? named : named.filter((_, i) => types.includes(pages[i]!.type));
  }

  /** The path of a page as far as the caller sees it; the id of a page that they do not see. */
  async pathOf(pageId: string): Promise<string> {
    return (await this.paths()).get(pageId) ?? pageId;
  }

  /** The path of each page that the caller sees, by id: `Engineering/Launch`. */
  async paths(): Promise<ReadonlyMap<string, string>> {
    return pathsOf(await this.pages());
  }

  async board(ref: string): Promise<string> {
    return isId(ref) ? ref : resolveName('board', ref, await this.namedPages(['board']));
  }

  /** A status that tasks go to. @throws a failure that says how to create it */
  status(boardId: string, ref: string): Promise<string> {
    return this.#onBoard('status', boardId, ref, true);
  }

  /** A tag that tasks get. @throws a failure that says how to create it */
  tag(boardId: string, ref: string): Promise<string> {
    return this.#onBoard('tag', boardId, ref, true);
  }

  /** A status or tag to change or remove. */
  existing(kind: BoardPart, boardId: string, ref: string): Promise<string> {
    return this.#onBoard(kind, boardId, ref, false);
  }

  async #onBoard(kind: BoardPart, boardId: string, ref: string, mayBeCreated: boolean): Promise<string> {
    if (isId(ref)) return ref;
    const { name, statuses, tags } = await this.boardView(boardId);
    const parts = (kind === 'status' ? statuses : tags).map(simple);
    const where = `on the board ${JSON.stringify(name)}`;
    if (!mayBeCreated || allNamed(ref, parts).length > 0) return resolveName(kind, ref, parts, where);
    const board = shellWord(distinctNames(await this.namedPages(['board'])).get(boardId)?.[0] ?? boardId);
    const create = `Create it: espalier ${kind} create --board ${board} --name ${shellWord(ref)}`;
    throw noSuchName(kind, ref, parts, where, create);
  }

  /**
   * All statuses or tags of this name.
   *
   * @param boards default: all that the caller sees
   * @throws a failure with suggestions if there is none
   */
  async allOnBoards(kind: BoardPart, ref: string, boards?: readonly string[]): Promise<readonly NamedBoardPart[]> {
    const views = await this.#views(boards);
    const things = views.flatMap((view) =>
      (kind === 'status' ? view.statuses : view.tags).map(({ id, name }) => ({
        id,
        names: [name],
        shown: `${name} (board ${view.name})`,
        boardId: view.id,
      })),
    );
    const found = allNamed(ref, things);
    if (found.length === 0) throw noSuchName(kind, ref, things);
    return found;
  }

  /** The only status or tag of this name or id on any board. @throws a failure if there is none or more than one */
  async onlyOnBoards(kind: BoardPart, ref: string): Promise<NamedBoardPart> {
    const found = await this.allOnBoards(kind, ref);
    if (found.length > 1) throw ambiguous(kind, ref, found, [], 'add --board');
    return found[0]!;
  }

  /** The distinct names of statuses or tags. @param boards default: all that the caller sees */
  async namesOnBoards(kind: BoardPart, boards?: readonly string[]): Promise<readonly string[]> {
    const names = (await this.#views(boards)).flatMap((view): string[] =>
      kind === 'status' ? view.statuses.map(({ name }) => name) : view.tags.map(({ name }) => name),
    );
    return [...new Set(names)];
  }

  /** Reads boards, a few at a time. */
  async #views(boards?: readonly string[]): Promise<readonly BoardView[]> {
    const ids = boards ?? (await this.pages()).filter(({ type }) => type === 'board').map(({ id }) => id);
    const views: BoardView[] = [];
    for (const some of slicesOf(ids, CONCURRENT_REQUESTS)) {
      views.push(...(await Promise.all(some.map((id) => this.boardView(id)))));
    }
    return views;
  }

  /**
   * By id, e-mail address or name; `me`. An e-mail address is never looked up as a name, as users choose their names
   * themselves.
   */
  async member(ref: string): Promise<string> {
    if (isId(ref)) return ref;
    if (ref === 'me') return (await this.session.workspaces.get({ workspaceId: this.workspaceId })).memberId;
    const members = (await this.members()).map(({ id, name, email }) => ({
      id,
      names: isEmail(ref.trim()) ? [email] : [email, name],
      shown: `${name} <${email}>`,
    }));
    return resolveName('member', ref, members);
  }

  /** By id, by number (`12` or `#12`), or by its title. */
  async task(ref: string): Promise<string> {
    if (isId(ref)) return ref;
    if (ref.trim() === '') throw usage('The task is empty: use its number, such as "#12", its id or its title.');
    const num = taskNumber(ref);
    return num === undefined ? this.#taskByTitle(ref) : this.#taskByNum(num);
  }

  /**
   * Searches all tasks whose title or description contains the text; keeps the first few with other titles as
   * suggestions.
   */
  async #taskByTitle(title: string): Promise<string> {
    const { workspaceId, session } = this;
    const things = new Map<string, NamedRecord>();
    let others = 0;
    for (const q of formsOf(title.trim())) {
      for await (const task of allItems((part) => session.tasks.list({ workspaceId, q, ...part }))) {
        if (fold(task.title) !== fold(title) && others++ >= MAX_SUGGESTIONS) continue;
        things.set(task.id, { id: task.id, names: [`#${task.num}`, task.title], shown: `#${task.num} ${task.title}` });
      }
    }
    return resolveName('task', title, [...things.values()]);
  }

  async #taskByNum(num: number): Promise<string> {
    const { workspaceId, session } = this;
    const { items } = num < 1 ? { items: [] } : await session.tasks.list({ workspaceId, num: [num], limit: 1 });
    if (items[0] !== undefined) return items[0].id;
    throw missing(`There is no task #${num} here, or you cannot see it.`, 'List the tasks: espalier task list');
  }
}

/** The number that names a task, as `12` or `#12`; undefined: a title or an id. */
export function taskNumber(ref: string): number | undefined {
  const num = /^#?(\d{1,15})$/.exec(ref)?.[1];
  return num === undefined ? undefined : Number(num);
}

/**
 * The forms in which a text may be stored: composed, decomposed or unchanged. Forms that are too long for a search are
 * left out.
 */
function formsOf(text: string): Iterable<string> {
  const forms = [text.normalize('NFC'), text.normalize('NFD')].filter(({ length }) => length <= MAX_SEARCH);
  return new Set([text, ...forms]);
}

/** The workspace of `--workspace`, or the only one if none is named. */
export async function openWorkspace(session: Session, ref: string | undefined): Promise<WorkspaceLookup> {
  return new WorkspaceLookup(session, await workspaceId(session, ref));
}

export async function workspaceId(session: Session, ref: string | undefined): Promise<string> {
  if (ref !== undefined && isId(ref)) return ref;
  const workspaces = await session.workspaces.list();
  const things = workspaces.map(namedWorkspace);
  if (ref !== undefined) {
    const found = workspaceNamed(workspaces, ref);
    if (found === undefined) throw noSuchName('workspace', ref, things);
    return found.id;
  }
  if (things.length === 1) return things[0]!.id;
  if (things.length === 0) {
    throw missing('You are not in any workspace yet.', 'Create one: espalier workspace create --name NAME');
  }
  throw usage('No workspace given: choose one with --workspace.', ...things.map(({ shown }) => shown));
}

/** By alias, name or id; undefined if there is none. @throws a usage failure if there is more than one */
export function workspaceNamed(workspaces: readonly WorkspaceView[], ref: string): WorkspaceView | undefined {
  // The alias comes first: anybody may give their workspace a name that is the alias of another.
  const byAlias = workspaces.find(({ alias }) => alias === ref.trim());
  if (byAlias !== undefined) return byAlias;
  const things = workspaces.map(namedWorkspace);
  const found = allNamed(ref, things);
  if (found.length > 1) throw ambiguous('workspace', ref, found, things);
  return workspaces.find(({ id }) => id === found[0]?.id);
}

function namedWorkspace({ id, alias, name }: WorkspaceView): NamedRecord {
  return { id, names: [alias, name], shown: `${alias}  ${name}` };
}

function simple({ id, name }: { readonly id: string; readonly name: string }): NamedRecord {
  return { id, names: [name], shown: name };
}
