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
    for (const { id } of workspaces) {
      await read(context, async (tx) => {
        const structure = await tx.structures.get(id);
        if (structure === null) return;
        const yielder = context.yielder?.() ?? AT_ONCE;
        const ofStructure = await structureFindings(tx, structure, yielder);
        const content = await contentFindings(tx, structure, yielder);
        for (const finding of [...ofStructure, ...content.findings]) findings.push(finding);
        count.workspaces++;
        count.pages += totalsOf(structure).pages;
        count.tasks += content.tasks;
        count.comments += content.comments;
      });
    }
    if (workspaces.length < CHUNK) return { ...count, findings };
    after = workspaces.at(-1)!.id;
  }
}
