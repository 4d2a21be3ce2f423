import { EspalierError } from '../../core/kernel/errors.ts';
import { specOf } from '../../core/model/collections.ts';
import type { Invitation } from '../../core/model/workspace/invitation.ts';
import type { Purge } from '../../core/model/job.ts';
import { countFromStart } from '../store-kv/task/count-older-tasks.ts';
import { idKey } from '../store-kv/engine/key.ts';
import { type Kv, prefixRange, scan } from '../store-kv/engine/kv.ts';
import { entriesOf, layoutOf, type KeyScope, scopeKey } from '../store-kv/records/layout.ts';
import { WorkspaceKeys } from '../store-kv/structure/workspace-keys.ts';
import { PREFIX } from '../store-kv/engine/key-prefixes.ts';

interface Schema {
  readonly format: 'espalier';
  readonly version: number;
}

const SCHEMA = `${PREFIX.about}schema`;

/** Upgrades a store by one schema version, in one transaction. */
export type Migration = (kv: Kv) => void;

/** The first upgrades version 1 to 2. Append only. */
const MIGRATIONS: readonly Migration[] = [
  () => {
    const detail =
      'The store has schema version 1, which was never released, and is left unchanged. ' +
      'Export its workspaces with the build that wrote it, and import them into a new file.';
    throw new EspalierError('store-unavailable', detail);
  },
  purgesToJobs,
  countFromStart,
  // Texts may be in Latin-1 and UTF-16, which older releases do not read. Those in UTF-8 stay.
  () => undefined,
  indexPendingInvitations,
];

/** Purges were the only kind of job, keyed by id alone. A crash leaves few of them. */
function purgesToJobs(kv: Kv): void {
  for (const [key, value] of kv.range(prefixRange(PREFIX.purge), Infinity, false)) {
    const job = { kind: 'purge', ...(value as Omit<Purge, 'kind'>) } satisfies Purge;
    kv.put(PREFIX.job + idKey(job.workspaceId) + idKey(job.id), job);
    kv.remove(key);
  }
}

/** Older releases had no index of pending invitations by expiry. */
function indexPendingInvitations(kv: Kv): void {
  const layout = layoutOf('invitations', specOf('invitations'));
  const workspaceKeys = new WorkspaceKeys(kv);
  for (const [, value] of scan(kv, prefixRange(layout.prefix))) {
    const invitation = value as Invitation;
    const keyOf = (scope: KeyScope) => scopeKey(scope, invitation.workspaceId, workspaceKeys)!;
    for (const [key, pointer] of entriesOf(layout, invitation, keyOf)) {
      if (kv.get(key) === undefined) kv.put(key, pointer);
    }
  }
}

/**
 * Upgrades a store to the schema version of this release. Run in a write transaction.
 *
 * @throws `store-unavailable` if the file belongs to another program, or was written by a newer or an unreleased
 * version
 */
export function migrate(kv: Kv, migrations = MIGRATIONS): void {
  const current = migrations.length + 1;
  const schema = kv.get(SCHEMA) as Schema | undefined;
  if (schema === undefined) {
    if (kv.range({ from: '\0', to: '\xff' }, 1, false).length > 0) throw foreign();
    kv.put(SCHEMA, { format: 'espalier', version: current } satisfies Schema);
    return;
  }
  if (schema.format !== 'espalier' || !Number.isSafeInteger(schema.version)) throw foreign();
  if (schema.version > current) {
    const detail = `The store has schema version ${schema.version}; this release reads up to ${current}. Use a newer release.`;
    throw new EspalierError('store-unavailable', detail);
  }
  if (schema.version === current) return;
  for (const migration of migrations.slice(schema.version - 1)) migration(kv);
  kv.put(SCHEMA, { format: 'espalier', version: current } satisfies Schema);
}

/** Whether the store has the current schema version, so that no upgrade is needed. */
export function hasCurrentSchema(kv: Pick<Kv, 'get'>, migrations = MIGRATIONS): boolean {
  const schema = kv.get(SCHEMA) as Schema | undefined;
  return schema?.format === 'espalier' && schema.version === migrations.length + 1;
}

/** Rewrites the stored schema: a write without effect, to test whether the store can write. */
export function rewriteSchema(kv: Kv): void {
  kv.put(SCHEMA, kv.get(SCHEMA)!);
}

function foreign(): EspalierError {
  return new EspalierError('store-unavailable', 'The file belongs to another program, and is left unchanged.');
}
