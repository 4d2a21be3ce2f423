import type { Call } from '../../../core/ports/context.ts';
import type { Engine } from '../../../core/engine.ts';
import type { Random } from '../../contract/random.ts';
import type { Step } from './sequence-state.ts';

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

/** A write that sequences do not make: an import, or a change of a profile. */
export function furtherStep(
  random: Random,
  canaries: Canaries,
  userId: string,
  workspaceId: string,
  memberIds: readonly string[],
): Step {
  if (random.once(2)) {
    const input = { name: canaries.next(), phone: canaries.next() };
    return { userId, noun: 'me', verb: 'update', input };
  }
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
  const input = {
    workspaceId,
    memberId: random.pick(memberIds),
    externalId: `I${random.below(3)}`,
    name: canaries.next(),
    description: canaries.next(),
    statuses: [{ name: 'Imported' }],
    tags: [{ name: 'Imported', color: 'red' }],
    tasks,
  };
  return { userId: null, noun: 'imports', verb: 'board', input };
}
