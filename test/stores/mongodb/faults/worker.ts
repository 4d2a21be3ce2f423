import { mongodbStore } from '../../../../adapters/store-mongodb/index.ts';
import type { Operation } from '../../../proofs/history/operation.ts';
import { recorder } from '../../../proofs/history/record.ts';

/** One process of a service with its clients, run by fork. It tells of every call that was answered. */
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
  | { readonly kind: 'read' }
  | { readonly kind: 'refused'; readonly title: string; readonly code: string }
  | { readonly kind: 'done'; readonly history: readonly Operation[] };

const PASSING = new Set(['store-unavailable', 'store-busy']);

process.once('message', (orders: Orders) => void work(orders));

async function work({ url, userId, workspaceId, boardId, name, clients }: Orders): Promise<void> {
  const store = mongodbStore({ url });
  const history: Operation[] = [];
  const state = { working: true };
  let largest = 0;
  process.once('message', () => (state.working = false));
  const tell = (report: Report): void => void process.send?.(report);
  // Slow enough for a history of an hour to be gone through.
  const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

  async function write(client: string): Promise<void> {
    const by = recorder(store, client, history);
    for (let i = 0; state.working; i += 1) {
      const title = `${client}-${i}`;
      const before = largest;
      const answer = await by.perform({
        userId,
        noun: 'tasks',
        verb: 'create',
        input: { workspaceId, boardId, title },
      });
      if ('value' in answer) {
        const { num } = answer.value as { num: number };
        largest = Math.max(largest, num);
        tell({ kind: 'made', title, num, before });
      } else tell({ kind: 'refused', title, code: answer.error.code });
      await pause();
    }
  }

  async function read(client: string): Promise<void> {
    const by = recorder(store, client, history);
    const input = { workspaceId, boardId: [boardId], sort: ['-num'], limit: 3, count: true };
    while (state.working) {
      const answer = await by.perform({ userId, noun: 'tasks', verb: 'list', input });
      if ('value' in answer) tell({ kind: 'read' });
      else if (!PASSING.has(answer.error.code)) tell({ kind: 'refused', title: client, code: answer.error.code });
      await pause();
    }
  }

  const writers = Array.from({ length: clients - 1 }, (_, n) => write(`${name}-${n}`));
  await Promise.all([...writers, read(`${name}-reader`)]);
  await store.close();
  process.send?.({ kind: 'done', history } satisfies Report, () => process.disconnect());
}
