import { readSlices, slicesOf } from '../kernel/slices.ts';
import type { Context } from '../ports/context.ts';
import { read } from '../write/transaction.ts';
import { requireAdministrator } from '../access/identify.ts';
import { contentFindings } from './content.ts';
import type { Finding } from './finding.ts';
import { identityFindings } from './identities.ts';
import { indexFindings } from './indexes.ts';
import { structureFindings } from './structure.ts';
import { yielderOf, type Yielder } from '../ports/yielder.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Workspace } from '../model/workspace/workspace.ts';
import { totalsOf } from '../tree/totals.ts';

/** The result of a check of the store. */
export interface CheckReport {
  /** The number of workspaces. */
  readonly workspaces: number;
  /** The number of pages. */
  readonly pages: number;
  /** The number of tasks. */
  readonly tasks: number;
  /** The number of comments. */
  readonly comments: number;
  /** The violated invariants. */
  readonly findings: readonly Finding[];
}

const CHUNK = 100;
/**
 * Workspaces that are checked side by side on one snapshot: checking a small one mostly costs round trips to the store.
 */
const CONCURRENT_WORKSPACES = 10;
/**
 * The most records that are checked in this way. If there are more, each workspace is checked on a snapshot of its own.
 */
const MAX_TOGETHER = 1_000;
/** The work that a workspace itself counts for, in records. */
const PER_WORKSPACE = 32;

type WorkspaceReport = Omit<CheckReport, 'workspaces'>;

/**
 * Reads every record of every workspace and every external identity, and reports violated invariants. Changes nothing.
 * For the operator and service administrators. O(store).
 */
export async function checkStore(context: Context): Promise<CheckReport> {
  await read(context, (tx) => requireAdministrator(tx, context));
  const findings: Finding[] = [...(await identityFindings(context)), ...(await indexFindings(context))];
  const count = { workspaces: 0, pages: 0, tasks: 0, comments: 0 };
  const slices = readSlices<Workspace>(CHUNK, ({ after, limit }) =>
    read(context, (tx) => tx.workspaces.list('all', {}, { after: after?.id ?? null, limit })),
  );
  for await (const workspaces of slices) {
    for (const some of slicesOf(workspaces, CONCURRENT_WORKSPACES)) {
      for (const checked of await checkWorkspaces(context, some)) {
        if (checked === null) continue;
        for (const finding of checked.findings) findings.push(finding);
        count.workspaces++;
        count.pages += checked.pages;
        count.tasks += checked.tasks;
        count.comments += checked.comments;
      }
    }
  }
  return { ...count, findings };
}

async function checkWorkspaces(context: Context, workspaces: readonly Workspace[]): Promise<readonly Result[]> {
  const yielder = () => yielderOf(context);
  try {
    const bounded = withBudget(MAX_TOGETHER, yielder());
    return await read(context, async (tx) => {
      const checks = workspaces.map(({ id }) => checkWorkspace(tx, id, bounded));
      // If one fails, the others are awaited: none may go on in a transaction that has ended.
      await Promise.allSettled(checks);
      return Promise.all(checks);
    });
  } catch (error) {
    if (!(error instanceof SharedBudgetExceeded)) throw error;
  }
  const checked: Result[] = [];
  for (const { id } of workspaces) checked.push(await read(context, (tx) => checkWorkspace(tx, id, yielder())));
  return checked;
}

/** Null for a workspace that was deleted meanwhile. */
type Result = WorkspaceReport | null;

async function checkWorkspace(tx: ReadTransaction, id: string, yielder: Yielder): Promise<Result> {
  const structure = await tx.structures.get(id);
  if (structure === null) return null;
  const pause = yielder.step(PER_WORKSPACE);
  if (pause !== null) await pause;
  const parts = [structureFindings(tx, structure, yielder), contentFindings(tx, structure, yielder)] as const;
  await Promise.allSettled(parts);
  const [ofStructure, content] = await Promise.all(parts);
  return { ...content, pages: totalsOf(structure).pages, findings: [...ofStructure, ...content.findings] };
}

/** Thrown to end checks that together examine more records than they may. */
class SharedBudgetExceeded extends Error {}

function withBudget(units: number, yielder: Yielder): Yielder {
  let left = units;
  return {
    step(done = 1) {
      left -= done;
      if (left < 0) throw new SharedBudgetExceeded();
      return yielder.step(done);
    },
  };
}
