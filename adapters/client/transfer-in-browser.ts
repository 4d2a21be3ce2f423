import type { SnapshotItem } from '../../core/changes/snapshot/item.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import { toAsyncIterable } from '../../core/kernel/to-async-iterable.ts';
import type { Session } from '../../core/session.ts';
import type { transfers as inNode } from './transfer.ts';

/**
 * Stands for `transfer.ts` in bundles for browsers, which send no body as a stream. A page posts the file of an export
 * to `/api/import` itself.
 */
export function transfers(): ReturnType<typeof inNode> {
  const refused = (): Promise<never> =>
    Promise.reject(new EspalierError('forbidden', 'A browser cannot export and import whole workspaces.'));
  const exports: Pick<Session['exports'], 'workspace'> = { workspace: refused };
  const imports: Pick<Session['imports'], 'workspace'> = { workspace: refused };
  const snapshot: Session['changes']['snapshot'] = () => toAsyncIterable<SnapshotItem>(refused);
  return { exports, imports, snapshot };
}
