import type { Job } from '../../../core/model/job.ts';
import type { JobPosition, JobRepository } from '../../../core/ports/store.ts';
import { idKey } from '../engine/key.ts';
import { type Kv, type KvRange, prefixRange, rangeAfter } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/** Under workspace and id, which as a UUID v7 sorts by time. */
export class KvJobs implements JobRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async get(workspaceId: string, id: string): Promise<Job | null> {
    return (this.#kv.get(keyOf({ workspaceId, id })) as Job | undefined) ?? null;
  }

  async ofWorkspace(workspaceId: string, after: string | null, limit: number): Promise<readonly Job[]> {
    const all = prefixRange(PREFIX.job + idKey(workspaceId));
    return this.#jobs(after === null ? all : rangeAfter(all, keyOf({ workspaceId, id: after })), limit);
  }

  async list(after: JobPosition | null, limit: number): Promise<readonly Job[]> {
    const all = prefixRange(PREFIX.job);
    if (after === null) return this.#jobs(all, limit);
    const { workspaceId, id } = after;
    if (id !== null) return this.#jobs(rangeAfter(all, keyOf({ workspaceId, id })), limit);
    return this.#jobs({ from: prefixRange(PREFIX.job + idKey(workspaceId)).to, to: all.to }, limit);
  }

  async insert(job: Job): Promise<void> {
    this.#kv.put(keyOf(job), job);
  }

  async replace(job: Job): Promise<void> {
    await this.insert(job);
  }

  async remove(job: Job): Promise<void> {
    this.#kv.remove(keyOf(job));
  }

  #jobs(range: KvRange, limit: number): readonly Job[] {
    return this.#kv.range(range, limit, false).map(([, job]) => job as Job);
  }
}

function keyOf({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): string {
  return PREFIX.job + idKey(workspaceId) + idKey(id);
}
