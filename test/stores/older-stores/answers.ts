import { readFileSync } from 'node:fs';
import type { CheckReport } from '../../../core/doctor/check.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Session } from '../../../core/session.ts';

/** Where the stores of an older commit are. Seen from `dist/test/stores/older-stores`. */
export function olderFile(commit: string, name: string): URL {
  return new URL(`../../../../test/stores/older-stores/data/${commit}/${name}`, import.meta.url);
}

/** What was answered on a store when it was made. */
export interface OlderAnswers {
  readonly now: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly workspaceId: string;
  readonly token: { readonly hash: string; readonly userId: string };
  readonly external: { readonly issuer: string; readonly subject: string; readonly userId: string };
  /** Pending, for anyone who has its id. */
  readonly invitation: string;
  readonly once: { readonly key: string; readonly digest: string; readonly boardId: string; readonly answer: Json };
  readonly doctor: CheckReport;
  readonly service: readonly Json[];
  readonly users: readonly Json[];
  /** How many change records there are. */
  readonly changes: number;
  /** By the name of who asked. */
  readonly answers: Readonly<Record<string, Json>>;
  /** The exported workspace. */
  readonly records: readonly Json[];
}

type Json = Readonly<Record<string, unknown>>;

export function olderAnswers(commit: string): OlderAnswers {
  return JSON.parse(readFileSync(olderFile(commit, 'answers.json'), 'utf8')) as OlderAnswers;
}

/** What somebody reads of a workspace; the code of the error for what they may not read. */
export async function everythingSeen(person: Session, workspaceId: string): Promise<Json> {
  const at = { workspaceId };
  const pages = await person.pages.list(at);
  const boards = await person.boards.list(at);
  const { items: tasks } = await person.tasks.list({ ...at, limit: 500 });
  return {
    workspaces: await person.workspaces.list(),
    members: await person.members.list(at),
    former: await person.members.list({ ...at, former: true }),
    pages,
    boards: await Promise.all(boards.map(({ id }) => person.boards.get({ ...at, boardId: id }))),
    tokens: (await person.tokens.list()).items,
    tasks: await Promise.all(tasks.map(({ id }) => person.tasks.get({ ...at, taskId: id }))),
    byTitle: (await person.tasks.list({ ...at, sort: ['title'] })).items.map(({ id }) => id),
    invitations: await itemsOrCode(person.invitations.list(at)),
    audit: await itemsOrCode(person.audit.list({ ...at, limit: 500 })),
    access: await Promise.all(pages.map(({ id }) => person.access.members({ ...at, pageId: id }))),
  };
}

async function itemsOrCode(call: Promise<{ readonly items: readonly unknown[] }>): Promise<unknown> {
  try {
    return (await call).items;
  } catch (error) {
    if (error instanceof EspalierError) return error.code;
    throw error;
  }
}

/** The part of an answer that was there before: fields may have come since, items of lists may not. */
export function asBefore(now: unknown, before: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(before)) return now.map((item, i) => asBefore(item, before[i]));
  if (!isObject(now) || !isObject(before)) return now;
  return Object.fromEntries(Object.keys(before).map((name) => [name, asBefore(now[name], before[name])]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
