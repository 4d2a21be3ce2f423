import type { TaskSummary } from '../../core/task/view.ts';
import { EVENT_KINDS } from '../../core/model/log/change-event.ts';
import { TASK_SORTS } from '../../core/task/list/sort.ts';
import type { PageType } from '../../core/model/workspace/page.ts';
import type { CommandCall } from '../call.ts';
import { openSession } from '../config/connection.ts';
import { readProfiles } from '../config/profile.ts';
import { loadSettings, SETTING_NAMES, type Settings } from '../config/settings.ts';
import { LEVEL_WORDS, PRIORITY_WORDS, ROLE_WORDS } from '../config/values.ts';
import { distinctNames, fold } from '../refs/resolve-name.ts';
import { openWorkspace, type BoardPart, type WorkspaceLookup } from '../refs/workspace-lookup.ts';
import type { Verb } from '../verb.ts';
import { SCRIPTS } from './scripts.ts';
import type { CommandLine } from './words.ts';

/** A completion candidate. */
export interface Candidate {
  readonly text: string;
  /** Shown beside it if the shell supports that. */
  readonly about?: string;
}

/** The position that is being completed. */
export interface CompletionContext {
  readonly call: CommandCall;
  readonly line: CommandLine;
  readonly verb: Verb | undefined;
  /** The value typed so far. */
  readonly typed: string;
}

/** The most tasks offered. */
const MAX_TASKS = 50;

type PlainValues = (at: CompletionContext) => readonly string[] | Promise<readonly string[]>;

/** Values that need no store, by the name of the value of an option or argument. */
const PLAIN: Readonly<Record<string, PlainValues>> = {
  level: () => Object.keys(LEVEL_WORDS),
  role: () => Object.keys(ROLE_WORDS),
  priority: () => Object.keys(PRIORITY_WORDS),
  date: () => ['today', 'tomorrow', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', '+1d', '+1w'],
  shell: () => Object.keys(SCRIPTS),
  setting: () => SETTING_NAMES,
  keys: () => TASK_SORTS,
  kind: () => EVENT_KINDS,
  profile: async ({ call }) => Object.keys((await readProfiles(call.settings.profilePath)).profiles),
  fields: fieldsOf,
};

async function fieldsOf({ verb }: CompletionContext): Promise<readonly string[]> {
  const { fieldsOfUseCases } = await import('../output/format/known-fields.ts');
  return [...fieldsOfUseCases(verb?.uses ?? []), ...(verb?.moreFields ?? [])];
}

type Live = (workspace: WorkspaceLookup, at: CompletionContext) => Promise<readonly Candidate[]>;

const LIVE: Readonly<Record<string, Live>> = {
  board: (workspace, at) => pages(workspace, at, ['board']),
  page: (workspace, at) => pages(workspace, at),
  member: async (workspace) => [
    { text: 'me' },
    ...(await workspace.members()).map(({ email, name }) => ({ text: email, about: name })),
  ],
  status: (workspace, at) => onBoard(workspace, at, 'status'),
  tag: (workspace, at) => onBoard(workspace, at, 'tag'),
  item: items,
  items,
  task: tasks,
  tasks,
};

/** By the first name that leads to no other page: by path if the name does, or a slash has been typed; else by id. */
async function pages(
  workspace: WorkspaceLookup,
  { typed }: CompletionContext,
  types?: readonly PageType[],
): Promise<Candidate[]> {
  const all = await workspace.namedPages(types);
  const distinct = distinctNames(all);
  return all.map(({ id, names }) => {
    const text = distinct.get(id)!.find((name) => !typed.includes('/') || fold(name).startsWith(fold(typed))) ?? id;
    const path = names.at(-1)!.slice(1);
    return text.endsWith(path) ? { text } : { text, about: path };
  });
}

/** Statuses or tags of the named board, of the board of the named task, or of all boards. */
async function onBoard(
  workspace: WorkspaceLookup,
  { line, verb }: CompletionContext,
  part: BoardPart,
): Promise<Candidate[]> {
  const named = line.options.get('board');
  const task = /^[<[]tasks?\b/.test(verb?.args?.[0]?.spec ?? '') ? line.plain[2] : undefined;
  const boardId = named === undefined ? await boardOf(workspace, task) : await workspace.board(named);
  const names = await workspace.namesOnBoards(part, boardId === null ? undefined : [boardId]);
  return names.map((text) => ({ text }));
}

async function boardOf(workspace: WorkspaceLookup, task: string | undefined): Promise<string | null> {
  if (task === undefined) return null;
  const { session, workspaceId } = workspace;
  return (await session.tasks.get({ workspaceId, taskId: await workspace.task(task) })).boardId;
}

/** Tasks by number if one is typed, else by title, most recently changed first. By number, only open tasks. */
async function tasks(workspace: WorkspaceLookup, { typed }: CompletionContext): Promise<Candidate[]> {
  const { session, workspaceId } = workspace;
  const isNumber = /^#?\d*$/.test(typed);
  const some = { workspaceId, sort: ['-updatedAt'] as const, limit: MAX_TASKS };
  const list = (filters: object): Promise<readonly TaskSummary[]> =>
    session.tasks.list({ ...some, ...filters }).then(({ items }) => items);
  if (!isNumber) return (await list({ q: typed })).map(({ title, num }) => ({ text: title, about: `#${num}` }));
  const sign = typed.startsWith('#') ? '#' : '';
  return (await list({ complete: false })).map(({ num, title }) => ({ text: `${sign}${num}`, about: title }));
}

/**
 * Items of the checklist of the named task, by number; else items of the trash, with tasks by number if one is typed.
 */
async function items(workspace: WorkspaceLookup, { verb, line, typed }: CompletionContext): Promise<Candidate[]> {
  const { session, workspaceId } = workspace;
  if (verb?.args?.[0]?.spec !== '<task>') {
    const { items: deleted } = await session.trash.list({ workspaceId, limit: MAX_TASKS });
    const sign = /^#?(?=\d*$)/.exec(typed)?.[0];
    if (typed === '' || sign === undefined) return deleted.map(({ name, kind }) => ({ text: name, about: kind }));
    return deleted.flatMap(({ num, name }) => (num === null ? [] : [{ text: `${sign}${num}`, about: name }]));
  }
  const taskId = await workspace.task(line.plain[2]!);
  const { checklist } = await session.tasks.get({ workspaceId, taskId });
  return checklist.map(({ text, done }, i) => ({ text: String(i + 1), about: `[${done ? 'x' : ' '}] ${text}` }));
}

/** @param kind the name of the value, as in `<board>` */
export async function valuesOf(kind: string, at: CompletionContext): Promise<readonly Candidate[]> {
  const plain = Object.hasOwn(PLAIN, kind) ? PLAIN[kind] : undefined;
  if (plain !== undefined) return (await plain(at)).map((text) => ({ text }));
  const live = Object.hasOwn(LIVE, kind) ? LIVE[kind] : undefined;
  if (live === undefined && kind !== 'workspace') return [];
  const settings = await settingsOf(at);
  const connection = await openSession(settings, at.call.io.cwd);
  try {
    if (live !== undefined) return await live(await openWorkspace(connection.session, settings.value('workspace')), at);
    return (await connection.session.workspaces.list()).map(({ alias, name }) => ({ text: alias, about: name }));
  } finally {
    await connection.close();
  }
}

export function starting(typed: string, all: readonly Candidate[]): readonly Candidate[] {
  return all.filter(({ text }) => text.toLowerCase().startsWith(typed.toLowerCase()));
}

/** Includes options on the line that is being completed. */
function settingsOf({ call, line: { options } }: CompletionContext): Promise<Settings> {
  return loadSettings(Object.fromEntries(options), call.io.env);
}
