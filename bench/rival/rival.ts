import type { Shot } from '../load/lua.ts';
import { answerTo, sent } from '../rows/requests.ts';
import type { Server } from '../rows/versus.ts';
import { scratch } from '../service.ts';
import type { Shape } from '../world/shape.ts';
import type { Rule } from './collections.ts';
import { startedPocketbase, versionOf } from './process.ts';
import { createTask, getTasks, listBoard, moveTasks } from './requests.ts';
import { seed } from './seed.ts';

/** The product that an engineer would build on instead, with the same work. */
export interface Rival extends Server {
  /** With its version. */
  readonly name: string;
  readonly shots: Readonly<Record<'read' | 'board' | 'move' | 'create', readonly Shot[]>>;
  end(): Promise<void>;
}

/** The PocketBase that the environment names, with a world of one board that it guards. Null: none is named. */
export async function startedRival(shape: Shape, rule: Rule): Promise<Rival | null> {
  const program = process.env['POCKETBASE'];
  if (program === undefined || program === '') return null;
  const name = `PocketBase ${versionOf(program)}`;
  const pocketbase = await startedPocketbase(program, scratch(`pocketbase-${rule}`));
  const { url, worker } = pocketbase;
  try {
    const { caller, stranger } = await seed(pocketbase, shape, rule);
    await requireRight(url, shape, shotsOf(shape, caller), shotsOf(shape, stranger));
    return { name, url, worker, shots: shotsOf(shape, caller), end: () => worker.end() };
  } catch (error) {
    await worker.end();
    throw error;
  }
}

function shotsOf(shape: Shape, token: string): Rival['shots'] {
  return {
    read: getTasks(shape, token),
    board: listBoard(shape, token),
    move: moveTasks(shape, token),
    create: [createTask(shape, token)],
  };
}

/** @throws if a member does not get the expected answer, or if anybody else gets one */
async function requireRight(
  url: string,
  shape: Shape,
  member: Rival['shots'],
  stranger: Rival['shots'],
): Promise<void> {
  const status = async (shot: Shot) => (await sent(url, shot)).status;
  const tasks = async (pages: readonly Shot[]) => {
    const lists = await Promise.all(pages.map(async (page) => (await (await answerTo(url, page)).json()) as Listed));
    return new Set(lists.flatMap(({ items }) => items.map(({ id }) => id))).size;
  };
  const seen = {
    read: [await status(member.read[0]!), await status(stranger.read[0]!)],
    board: [await tasks(member.board), await tasks(stranger.board)],
    move: [await status(member.move[0]!), await status(stranger.move[0]!)],
    // Of a member it would make one task more than there are to be: load tells that it is answered.
    create: [await status(stranger.create[0]!)],
  };
  const right = { read: [200, 404], board: [shape.tasks, 0], move: [200, 404], create: [400] };
  const [told, expected] = [JSON.stringify(seen), JSON.stringify(right)];
  if (told !== expected) throw new Error(`PocketBase answered ${told} in place of ${expected}.`);
}

interface Listed {
  readonly items: readonly { readonly id: string }[];
}
