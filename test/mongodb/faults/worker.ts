import { mongodbStore } from '../../../adapters/mongodb/index.ts';
import { createEngine } from '../../../core/engine.ts';
import { EspalierError } from '../../../core/errors.ts';
import { realPorts } from '../service.ts';

/** One process of a service with its clients, run by fork. It tells of every task that was acknowledged. */
export interface Orders {
  readonly url: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly boardId: string;
  readonly name: string;
  readonly clients: number;
}

export type Report =
  | { readonly kind: 'made'; readonly title: string; readonly num: number; readonly before: number }
  | { readonly kind: 'refused'; readonly title: string; readonly code: string }
  | { readonly kind: 'done'; readonly unexpected: readonly string[] };

const PASSING = new Set(['store-unavailable', 'store-busy']);

process.once('message', (orders: Orders) => void work(orders));

async function work({ url, userId, workspaceId, boardId, name, clients }: Orders): Promise<void> {
  const store = mongodbStore({ url });
  const engine = createEngine(realPorts(store));
  const call = { caller: { kind: 'user', userId } } as const;
  const unexpected: string[] = [];
  const state = { working: true };
  let largest = 0;
  process.once('message', () => (state.working = false));
  const tell = (report: Report): void => void process.send?.(report);
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let i = 0; state.working; i += 1) {
        const title = `${name}-${client}-${i}`;
        const before = largest;
        try {
          const { num } = await engine.tasks.create(call, { workspaceId, boardId, title });
          largest = Math.max(largest, num);
          tell({ kind: 'made', title, num, before });
        } catch (error) {
          if (error instanceof EspalierError && PASSING.has(error.code)) {
            tell({ kind: 'refused', title, code: error.code });
            await new Promise((resolve) => setTimeout(resolve, 100));
          } else unexpected.push(String(error));
        }
      }
    }),
  );
  await store.close();
  tell({ kind: 'done', unexpected });
  process.disconnect();
}
