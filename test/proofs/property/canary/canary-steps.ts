import type { Call } from '../../../../core/ports/context.ts';
import type { Engine } from '../../../../core/engine.ts';
import type { Random } from '../../../contract/random.ts';
import type { Step } from '../sequence/sequence-state.ts';

/** Never given twice, so that they betray what they are of. */
export class Canaries {
  #given = 0;

  next(): string {
    this.#given += 1;
    return `Mark${String(this.#given).padStart(5, '0')}x`;
  }
}

const WITH_DESCRIPTION = new Set(['tasks.create', 'tasks.update', 'boards.create', 'boards.update']);
const WITH_METADATA = new Set([
  ...WITH_DESCRIPTION,
  'pages.create',
  'pages.update',
  'statuses.create',
  'statuses.update',
  'tags.create',
  'tags.update',
  'comments.create',
  'comments.update',
  'members.update',
  'workspaces.update',
]);

/** The engine, with a canary in whatever of a record {@link runSequence} leaves to chance: descriptions, metadata, colours. */
export function withCanaries(engine: Engine, canaries: Canaries): Engine {
  const nouns = Object.entries(engine).map(([noun, verbs]) => [
    noun,
    Object.fromEntries(
      Object.entries(verbs as Record<string, (call: Call, input: object) => unknown>).map(([verb, run]) => [
        verb,
        (call: Call, input: object) => run(call, marked(`${noun}.${verb}`, input, canaries)),
      ]),
    ),
  ]);
  return Object.fromEntries(nouns) as Engine;
}

function marked(operation: string, input: object, canaries: Canaries): object {
  if (!WITH_METADATA.has(operation)) return input;
  const { metadata } = input as { readonly metadata?: object | null };
  return {
    ...input,
    ...(WITH_DESCRIPTION.has(operation) ? { description: canaries.next() } : {}),
    ...(metadata === null ? {} : { metadata: { ...metadata, canary: canaries.next() } }),
  };
}

/** What there is in a workspace. */
export interface Present {
  readonly workspaceId: string;
  readonly memberIds: readonly string[];
  /** The user of an owner. */
  readonly ownerId: string;
  readonly pageIds: readonly string[];
  readonly boardIds: readonly string[];
  readonly taskIds: readonly string[];
}

/**
 * A write that sequences seldom or never make: a page goes out of sight or comes into sight, a task gets a page of its own or
 * is linked, a profile changes, a board is imported.
 */
export function furtherStep(random: Random, canaries: Canaries, userId: string, present: Present): Step {
  const { workspaceId, memberIds, ownerId, pageIds, boardIds, taskIds } = present;
  const byOwner = (noun: string, verb: string, input: object): Step => {
    return { userId: ownerId, noun, verb, input: { workspaceId, ...input } };
  };
  const kind = random.below(10);
  if (kind < 4 && pageIds.length > 0) {
    const pageId = random.pick(random.once(2) && boardIds.length > 0 ? boardIds : pageIds);
    return byOwner('access', 'grant', { pageId, memberId: random.pick(memberIds), access: random.pick([0, 0, 100]) });
  }
  if (kind < 6 && taskIds.length > 0) {
    const parentId = random.pick([null, ...pageIds]);
    return byOwner('pages', 'create', { name: canaries.next(), type: 'task', taskId: random.pick(taskIds), parentId });
  }
  if (kind < 8 && taskIds.length > 0) {
    const type = random.pick(['parent', 'blocks', 'relates']);
    return byOwner('tasks', 'link', { fromTaskId: random.pick(taskIds), type, taskId: random.pick(taskIds) });
  }
  if (kind < 9) {
    return { userId, noun: 'me', verb: 'update', input: { name: canaries.next(), phone: canaries.next() } };
  }
  return { userId: null, noun: 'imports', verb: 'board', input: importedBoard(random, canaries, present) };
}

function importedBoard(random: Random, canaries: Canaries, { workspaceId, memberIds }: Present): Step['input'] {
  const tasks = Array.from({ length: 1 + random.below(3) }, () => ({
    externalId: `E${random.below(9)}`,
    title: canaries.next(),
    description: canaries.next(),
    status: 'Imported',
    tags: ['Imported'],
    checklist: [{ text: canaries.next() }],
    comments: [{ externalId: canaries.next(), content: canaries.next(), createdAt: '2026-01-01T00:00:00.000Z' }],
    metadata: { canary: canaries.next() },
    archived: random.once(5),
  }));
  return {
    workspaceId,
    memberId: random.pick(memberIds),
    externalId: `I${random.below(3)}`,
    name: canaries.next(),
    description: canaries.next(),
    statuses: [{ name: 'Imported' }],
    tags: [{ name: 'Imported', color: 'red' }],
    tasks,
  };
}
