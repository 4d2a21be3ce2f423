import type { Store } from '../../../core/ports/store.ts';
import { Random } from '../../contract/random.ts';
import { type Place, SequenceState, type Step } from '../property/sequence/sequence-state.ts';
import { nextStep } from '../property/sequence/sequence-steps.ts';
import { begin } from '../property/sequence/sequences.ts';
import type { Operation } from './operation.ts';
import { recorder, type Recorder } from './record.ts';

/** What the clients of a run know of each other's things, as far as it can be sent to another process. */
export interface SharedRecords {
  readonly users: readonly string[];
  readonly places: readonly Place[];
  /** Where all meet, and which nobody takes away. */
  readonly meeting: Meeting;
}

interface Meeting {
  readonly workspaceId: string;
  readonly boardId: string;
  readonly tasks: readonly string[];
}

/** Makes people, and a few tasks to meet at. */
export async function newSharedWorld(by: Recorder, seed: number): Promise<SharedRecords> {
  const state = new SequenceState(new Random(seed));
  const perform = async (step: Step): Promise<unknown> => {
    const answer = await by.perform(step);
    if (!('value' in answer)) return null;
    step.learn?.(answer.value as never);
    return answer.value;
  };
  await begin(state, perform);
  const { workspaceId } = state.workspaces[0]!;
  const make = async (noun: string, input: Readonly<Record<string, unknown>>): Promise<string> => {
    const made = await perform({ userId: state.users[0]!, noun, verb: 'create', input: { workspaceId, ...input } });
    return (made as { readonly id: string }).id;
  };
  const boardId = await make('boards', { name: 'Meeting' });
  await make('statuses', { boardId, name: 'Open' });
  const tasks = [];
  for (const title of ['One', 'Two', 'Three']) tasks.push(await make('tasks', { boardId, title }));
  return { users: state.users, places: state.workspaces, meeting: { workspaceId, boardId, tasks } };
}

export interface ClientsOfRun {
  readonly clients: number;
  /** Of each client. */
  readonly calls: number;
  readonly seed: number;
  readonly name: string;
}

export type Build = Parameters<typeof recorder>[3];

/** A history tells the places of others in the log, so that it is another in any order; a copy is made by many writes. */
const NOT_ONE_WRITE: ReadonlySet<string> = new Set(['history', 'copy']);

/** Clients that make random calls at the same time, mostly about the same things. */
export async function runClients(
  store: Store,
  shared: SharedRecords,
  clients: ClientsOfRun,
  build?: Build,
): Promise<Operation[]> {
  const history: Operation[] = [];
  const state = new SequenceState(new Random(clients.seed));
  state.users.push(...shared.users);
  state.workspaces.push(...shared.places);
  const client = async (n: number): Promise<void> => {
    const by = recorder(store, `${clients.name}${n}`, history, build);
    for (let i = 0; i < clients.calls; i += 1) {
      const step = state.random.once(2) ? rush(state, shared.meeting) : nextStep(state);
      if (NOT_ONE_WRITE.has(step.verb)) continue;
      const answer = await by.perform(step);
      if ('value' in answer) step.learn?.(answer.value as never);
    }
  };
  await Promise.all(Array.from({ length: clients.clients }, (_, n) => client(n)));
  return history;
}

/** Calls about the very things that the others are at, to be in each other's way. */
function rush(state: SequenceState, { workspaceId, boardId, tasks }: Meeting): Step {
  const { random } = state;
  const userId = random.once(2) ? state.users[0]! : random.pick(state.users);
  const task = { workspaceId, taskId: random.pick(tasks) };
  const entry = { workspaceId, pageId: boardId, memberId: random.pick(state.workspaces[0]!.members) };
  const name = state.name();
  const step = (noun: string, verb: string, input: Readonly<Record<string, unknown>>): Step => ({
    userId,
    noun,
    verb,
    input,
  });
  const create = () => step('tasks', 'create', { workspaceId, boardId, title: name });
  return random.pick([
    () => step('tasks', 'update', { ...task, title: name }),
    () => step('tasks', 'update', { ...task, afterTaskId: null }),
    () => step('tasks', 'get', task),
    create,
    create,
    create,
    () => step('tasks', 'list', { workspaceId, boardId: [boardId], count: true }),
    () => step('access', 'grant', { ...entry, access: random.pick([100, 300]) }),
    () => step('access', 'revoke', entry),
  ])();
}

/** Everything, as everybody sees it at the end. */
export async function readEverything(by: Recorder, { users, places }: SharedRecords): Promise<void> {
  for (const userId of users) {
    for (const { workspaceId } of places) {
      for (const [noun, verb] of [
        ['tasks', 'list'],
        ['boards', 'list'],
        ['pages', 'list'],
        ['members', 'list'],
      ] as const) {
        await by.perform({ userId, noun, verb, input: { workspaceId, ...(noun === 'tasks' ? { limit: 500 } : {}) } });
      }
    }
  }
}
