import { operations } from '../../../adapters/schemas/operations.ts';
import type { Session } from '../../../core/session.ts';
import type { TaskView } from '../../../core/task/view.ts';
import type { UseCaseName } from '../../../core/use-cases.ts';

type Run = (input?: object, options?: object) => Promise<unknown>;

/** Writes that return a task, whose names are read after them. */
const TASK_WRITES: readonly UseCaseName[] = ['tasks.create', 'tasks.update', 'tasks.addTag', 'tasks.assign'];

/** A session that requests all expansions from some use cases, so that records have names beside ids. */
export function withNames(session: Session, useCases: readonly UseCaseName[]): Session {
  const nouns: Record<string, object> = { ...session };
  const expansions = new Map(operations.map(({ useCase, input }) => [useCase, expansionsIn(input)]));
  for (const useCase of useCases) {
    const [noun, verb] = useCase.split('.') as [keyof Session, string];
    const run = (session[noun] as unknown as Readonly<Record<string, Run>>)[verb]!;
    const expand = expansions.get(useCase);
    const named: Run | undefined =
      expand !== undefined
        ? (input, options) => run({ expand, ...input }, options)
        : TASK_WRITES.includes(useCase)
          ? async (input, options) => withTaskNames(session, (await run(input, options)) as TaskView)
          : undefined;
    if (named !== undefined) nouns[noun] = { ...nouns[noun], [verb]: named };
  }
  return nouns as unknown as Session;
}

async function withTaskNames(session: Session, task: TaskView): Promise<TaskView> {
  const { workspaceId, id: taskId } = task;
  const expand = ['status', 'board', 'tags', 'assignees', 'createdBy'] as const;
  // The write is done, so an error of this read is ignored.
  const read = await session.tasks.get({ workspaceId, taskId, expand }).catch(() => null);
  return read?.expanded === undefined ? task : { ...task, expanded: read.expanded };
}

/** The values of `expand` in an input schema; undefined if it has none. */
function expansionsIn(input: object): readonly string[] | undefined {
  return (input as Expandable).properties?.expand?.items?.enum;
}

interface Expandable {
  readonly properties?: { readonly expand?: { readonly items?: { readonly enum?: readonly string[] } } };
}
