import type { Context } from '../ports/context.ts';
import { read } from '../write/transaction.ts';
import { requireAdministrator } from '../access/identify.ts';
import { contentFindings } from './content.ts';
import type { Finding } from './finding.ts';
import { identityFindings } from './identities.ts';
import { structureFindings } from './structure.ts';
import { AT_ONCE } from '../ports/yielder.ts';
import { totalsOf } from '../tree/totals.ts';

export interface CheckReport {
  readonly workspaces: number;
  readonly pages: number;
  readonly tasks: number;
  readonly comments: number;
  readonly findings: readonly Finding[];
}

const CHUNK = 100;
/** Workspaces that are checked side by side: most of what a small one costs is waiting for the store. */
const TOGETHER = 4;

type Checked = Omit<CheckReport, 'workspaces'>;

/**
 * Reads every record of every workspace and every external identity, and reports violated invariants. Changes nothing.
 * For the operator and service administrators. O(store).
 */
export async function checkStore(context: Context): Promise<CheckReport> {
  await read(context, (tx) => requireAdministrator(tx, context));
  const findings: Finding[] = [...(await identityFindings(context))];
  const count = { workspaces: 0, pages: 0, tasks: 0, comments: 0 };
  for (let after: string | null = null; ;) {
    const workspaces = await read(context, (tx) => tx.workspaces.list('all', {}, { after, limit: CHUNK }));
    for (let from = 0; from < workspaces.length; from += TOGETHER) {
      const some = workspaces.slice(from, from + TOGETHER);
      for (const checked of await Promise.all(some.map(({ id }) => checkWorkspace(context, id)))) {
        if (checked === null) continue;
        for (const finding of checked.findings) findings.push(finding);
        count.workspaces++;
        count.pages += checked.pages;
        count.tasks += checked.tasks;
        count.comments += checked.comments;
      }
    }
    if (workspaces.length < CHUNK) return { ...count, findings };
    after = workspaces.at(-1)!.id;
  }
}

/** Null for a workspace that was deleted meanwhile. */
function checkWorkspace(context: Context, id: string): Promise<Checked | null> {
  return read(context, async (tx) => {
    const structure = await tx.structures.get(id);
    if (structure === null) return null;
    const yielder = context.yielder?.() ?? AT_ONCE;
    const [ofStructure, content] = await Promise.all([
      structureFindings(tx, structure, yielder),
      contentFindings(tx, structure, yielder),
    ]);
    return { ...content, pages: totalsOf(structure).pages, findings: [...ofStructure, ...content.findings] };
  });
}
