import type { Espalier } from '../../../adapters/service/index.ts';
import { outcome } from '../../fixtures/world/world.ts';

const CLIENTS = 8;
const NAMES = 60;

export interface Place {
  readonly userId: string;
  readonly workspaceId: string;
  readonly boardId: string;
}

/** What one process was told. */
export interface Told {
  /** The external ids of the tasks that it created. */
  readonly created: readonly string[];
  /** What became of the others: error codes. */
  readonly refused: readonly string[];
  /** The task that each call with an idempotency key was answered with. */
  readonly keyed: readonly (readonly [key: string, taskId: string])[];
}

export const EXTERNAL_IDS: readonly string[] = Array.from({ length: NAMES }, (_, i) => `E-${i}`);
export const KEYS: readonly string[] = Array.from({ length: NAMES }, (_, i) => `K-${i}`);

/**
 * Creates tasks from several clients at once, so that they commit in one group after another. Every client asks for
 * every external id and every idempotency key, at about the same time as the others.
 */
export async function compete({ engine }: Espalier, { userId, workspaceId, boardId }: Place): Promise<Told> {
  const caller = { kind: 'user', userId } as const;
  const created: string[] = [];
  const refused: string[] = [];
  const keyed: [string, string][] = [];
  const client = async (): Promise<void> => {
    for (const [i, externalId] of EXTERNAL_IDS.entries()) {
      const code = await outcome(engine.tasks.create({ caller }, { workspaceId, boardId, title: 'named', externalId }));
      if (code === 'ok') created.push(externalId);
      else refused.push(code);
      const key = KEYS[i]!;
      const idempotencyKey = { key, digest: 'the same input' };
      const { id } = await engine.tasks.create({ caller, idempotencyKey }, { workspaceId, boardId, title: 'once' });
      keyed.push([key, id]);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { created, refused, keyed };
}
