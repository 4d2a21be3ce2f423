import type { Context } from '../ports/context.ts';
import { conflict, EspalierError, invalid } from '../kernel/errors.ts';
import { makeDue } from '../jobs/enqueue-job.ts';
import { LinkGraph } from '../link/graph.ts';
import type { WorkspaceRemoval } from '../model/job.ts';
import { withQuotas } from '../write/quota/quota-guard.ts';
import type { Transaction } from '../ports/store.ts';
import { yielderOf } from '../ports/yielder.ts';
import { storedTasks } from '../task/stored-tasks.ts';
import { Journal, originOf } from '../write/journal/journal.ts';
import { requireAdministrator } from '../access/identify.ts';
import type { Workspace } from '../model/workspace/workspace.ts';
import type { TransferRecord } from '../model/transfer-record.ts';
import { requireContents, requireNewContents } from './expected-contents.ts';
import { hold, isHeld, noHeldRecords, stageRecord, type StagedRecord } from './held-records.ts';
import { requireMetadata } from './metadata-bounds.ts';

/** The lease of an import on its staged records, in milliseconds: when it ends without renewal, they are removed. */
const LEASE = 60_000;
/** Records per transaction: other writes wait for each, which takes a few milliseconds. */
export const CHUNK = 100;

/**
 * The staged records of an import: stored, but unreachable as their workspace does not exist yet. Its lease is a job
 * that removes them when it is due, and which every write extends.
 */
export class Staging {
  readonly held = noHeldRecords();
  /**
   * The conflict of a repeated call with the workspace it has imported. Nothing is written then: at the end its stored
   * answer is replayed, or this is thrown.
   */
  taken: EspalierError | null = null;
  readonly #context: Context;
  #lease: WorkspaceRemoval | null = null;
  #extendedAt = 0;
  #chunk: StagedRecord[] = [];
  /** Of pages, boards with their parts, users and invitations. */
  readonly #ids = new Set<string>();
  /** Checked at the end: links name tasks that come later. */
  readonly #links = new LinkGraph();

  constructor(context: Context) {
    this.#context = context;
  }

  /** @throws what {@link write} throws, `invalid-input` for a record that does not fit those before it */
  async add(transferred: TransferRecord): Promise<void> {
    requireContents(this.held, transferred);
    requireMetadata(transferred);
    this.#requireNew(transferred);
    if (transferred.kind === 'task') this.#links.add(transferred.record);
    if (isHeld(transferred)) hold(this.held, transferred);
    else this.#chunk.push(transferred);
    // A slow sender may take longer for a chunk than the lease.
    if (this.#chunk.length >= CHUNK || this.#isToExtend()) await this.#flush();
  }

  #isToExtend(): boolean {
    return this.#lease !== null && this.#context.clock.now() - this.#extendedAt > LEASE / 4;
  }

  #requireNew({ kind, record }: TransferRecord): void {
    if (kind === 'board') {
      for (const { id } of record.statuses) this.#requireNewId('status', id);
      for (const { id } of record.tags) this.#requireNewId('tag', id);
    }
    if (kind === 'page' || kind === 'board' || kind === 'user' || kind === 'invitation') {
      this.#requireNewId(kind, record.id);
    }
  }

  #requireNewId(kind: string, id: string): void {
    const key = `${kind} ${id}`;
    if (this.#ids.has(key)) throw invalid('', `holds the ${kind} ${id} twice`);
    this.#ids.add(key);
  }

  /** Called after the last record. */
  async end(): Promise<void> {
    requireContents(this.held, null);
    await this.#flush();
    const { boards, pages, taskPages } = this.held;
    for (const { id, type } of pages.values()) {
      if (type === 'board' && !boards.has(id)) throw invalid('', `lacks the board of a page: ${id}`);
    }
    for (const id of taskPages) throw invalid('', `lacks the task of a page: ${id}`);
    for await (const { id, detail } of this.#links.faults(yielderOf(this.#context))) {
      throw invalid('', `holds a task whose links do not fit: ${id} ${detail}`);
    }
  }

  /**
   * Writes staged records, and extends the lease.
   *
   * @param work gets the transaction twice: journaled, and plain
   * @throws `workspace-exists`, `alias-taken`, `quota-exceeded`, `store-busy`
   */
  async write(work: (journaled: Transaction, plain: Transaction) => Promise<void>): Promise<void> {
    if (this.taken !== null) return;
    const context = this.#context;
    const { id: workspaceId } = this.workspace();
    if (this.#lease === null) await this.#removeLeft();
    const now = context.clock.now();
    const notBefore = new Date(now + LEASE).toISOString();
    const id = this.#lease?.id ?? context.ids.next();
    const next: WorkspaceRemoval = { kind: 'workspace-removal', id, workspaceId, notBefore };
    try {
      await context.store.write(async (tx) => {
        await requireAdministrator(tx, context);
        await this.requireFreePlace(tx);
        if (this.#lease === null) await tx.jobs.insert(next);
        else await tx.jobs.replace(next);
        const journal = new Journal();
        const within = withQuotas(tx, context);
        // What is written beside the log is guarded as well.
        const unlogged = new Journal();
        await work(journal.on(within), isGuarded(context) ? unlogged.on(within) : within);
        for (const one of [journal, unlogged]) await one.guard(tx, context, originOf(context));
        await journal.append(tx, context, originOf(context));
      });
      this.#lease = next;
      this.#extendedAt = now;
    } catch (error) {
      if (context.idempotencyKey === undefined || !isTaken(error)) throw error;
      this.taken = error;
    }
  }

  /** @throws `invalid-input` if there is none */
  workspace(): Workspace {
    if (this.held.workspace === null) throw invalid('', 'does not begin with a workspace');
    return this.held.workspace;
  }

  /** Removes what a crashed import has left once its lease has ended, in case no process was running to do so. */
  async #removeLeft(): Promise<void> {
    const { store, jobs } = this.#context;
    const { id: workspaceId } = this.workspace();
    const left = await store.read((tx) => tx.jobs.list('ofWorkspace', { workspaceId }, { limit: 1 }));
    for (const job of left) if (job.kind === 'workspace-removal' && job.notBefore !== null) await jobs.finish(job);
  }

  /** @throws `workspace-exists`, `alias-taken`; `store-busy` if the lease has ended */
  async requireFreePlace(tx: Transaction): Promise<void> {
    const { id: workspaceId, alias } = this.workspace();
    if ((await tx.structures.get(workspaceId)) !== null) {
      throw conflict('workspace-exists', 'The store already has this workspace.');
    }
    if ((await tx.workspaces.by({ alias })) !== null) {
      throw conflict('alias-taken', 'Another workspace of the store has this alias.');
    }
    const jobs = await tx.jobs.list('ofWorkspace', { workspaceId }, { limit: 2 });
    const lease = jobs.find(({ id }) => id === this.#lease?.id);
    if (jobs.length > (lease === undefined ? 0 : 1)) {
      throw conflict(
        'workspace-exists',
        'Another import of this workspace goes on, or what one or a deletion has left is still being removed: ' +
          'try again in a minute.',
      );
    }
    if (this.#lease !== null && (lease === undefined || lease.lease !== undefined)) {
      throw new EspalierError('store-busy', 'The import paused for too long and was cancelled: try again.');
    }
  }

  /** Removes the lease, so that the staged records stay. */
  async keep(tx: Transaction): Promise<void> {
    if (this.#lease !== null) await tx.jobs.remove(this.#lease);
  }

  /**
   * Ends the lease and removes what was written, so that the id of the workspace is free when the caller learns why the
   * import failed. If the store cannot be reached, background work removes it later.
   */
  async abandon(): Promise<void> {
    const lease = this.#lease;
    if (lease === null) return;
    const { store, jobs } = this.#context;
    await store.write((tx) => makeDue(tx, this.#context, lease));
    await jobs.finish(lease);
  }

  async #flush(): Promise<void> {
    const records = this.#chunk;
    this.#chunk = [];
    const { id } = this.workspace();
    if (records.length === 0) return;
    try {
      await this.write(async (journaled, plain) => {
        await requireNewContents(plain, id, records);
        for (const transferred of records) await stageRecord(journaled, plain, this.held, id, transferred);
      });
    } catch (error) {
      // Nobody else writes here, so a value that is taken is taken by a record of the same import.
      if (isTakenInStore(error)) await this.#requireDistinct(records);
      if (error instanceof EspalierError && error.code === 'external-id-taken') {
        throw invalid('', 'holds two boards, tasks or comments with one externalId');
      }
      throw error;
    }
  }

  /** @throws `invalid-input` if one of these tasks has the id, number or place of another of them, or of one staged before */
  async #requireDistinct(records: readonly StagedRecord[]): Promise<void> {
    const given = new Set<string>();
    await this.#context.store.read(async (tx) => {
      for (const { kind, record } of records) {
        if (kind !== 'task') continue;
        const { id, workspaceId, num, statusId, statusOrderKey } = record;
        const keys = [id, `num ${num}`, `${statusId} ${statusOrderKey}`];
        const [same, places, numbered] = await Promise.all([
          tx.tasks.get(workspaceId, id),
          tx.tasks.placesTakenAmong(workspaceId, statusId, statusOrderKey, statusOrderKey),
          storedTasks(tx, workspaceId, { after: { num, id: '' }, limit: 1 }),
        ]);
        const isTaken = same !== null || places.length > 0 || numbered[0]?.num === num;
        if (isTaken || keys.some((key) => given.has(key))) {
          throw invalid('', `holds a task with the id, number or place of another: ${id}`);
        }
        for (const key of keys) given.add(key);
      }
    });
  }
}

function isGuarded({ guards = [] }: Context): boolean {
  return guards.length > 0;
}

/**
 * Whether the store may have refused a record because another has the same unique value. Errors that are thrown here,
 * unlike those of the store, have no cause.
 */
function isTakenInStore(error: unknown): boolean {
  if (!(error instanceof EspalierError)) return false;
  return error.code === 'store-busy' || (error.code === 'workspace-exists' && error.cause !== undefined);
}

function isTaken(error: unknown): error is EspalierError {
  return error instanceof EspalierError && (error.code === 'workspace-exists' || error.code === 'alias-taken');
}
