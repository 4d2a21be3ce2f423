import { EspalierError } from '../../core/kernel/errors.ts';
import type { Purge } from '../../core/model/job.ts';
import { countFromStart } from '../store-kv/task/count-older-tasks.ts';
import { idKey } from '../store-kv/engine/key.ts';
import { type Kv, prefixRange } from '../store-kv/engine/kv.ts';
import { PREFIX } from '../store-kv/engine/key-prefixes.ts';

interface Schema {
  readonly format: 'espalier';
  readonly version: number;
}

const SCHEMA = `${PREFIX.about}schema`;

/** Changes one version of what is stored into the next, in one transaction. */
export type Migration = (kv: Kv) => void;

/** The first brings version 1 to 2. Only ever added to. */
export const MIGRATIONS: readonly Migration[] = [
  () => {
    const detail =
      'The store has schema version 1, which was never released, and is left as it is. ' +
      'Export its workspaces with the build that wrote it, and import them into a new file.';
    throw new EspalierError('store-unavailable', detail);
  },
  purgesToJobs,
  countFromStart,
];

/** Purges were the only kind of job, and kept by id alone: those that a crash has left are a few. */
function purgesToJobs(kv: Kv): void {
  for (const [key, value] of kv.range(prefixRange(PREFIX.purge), Infinity, false)) {
    const job = { kind: 'purge', ...(value as Omit<Purge, 'kind'>) } satisfies Purge;
    kv.put(PREFIX.job + idKey(job.workspaceId) + idKey(job.id), job);
    kv.remove(key);
  }
}

/**
 * Brings what is stored to the version that this release reads. To be run in a write transaction.
 *
 * @throws `store-unavailable` when the file is another program's, or written by a newer release or before the first
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

/** Whether a transaction is needed to bring the store to the current version. */
export function isCurrent(kv: Pick<Kv, 'get'>, migrations = MIGRATIONS): boolean {
  const schema = kv.get(SCHEMA) as Schema | undefined;
  return schema?.format === 'espalier' && schema.version === migrations.length + 1;
}

/** Writes what is stored there once more: a change that changes nothing. */
export function rewriteSchema(kv: Kv): void {
  kv.put(SCHEMA, kv.get(SCHEMA)!);
}

function foreign(): EspalierError {
  return new EspalierError('store-unavailable', 'The file belongs to another program, and is left as it is.');
}
