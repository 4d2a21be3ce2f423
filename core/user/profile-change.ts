import { enqueueJob } from '../jobs/enqueue-job.ts';
import { timestamp } from '../kernel/record.ts';
import type { ProfileChange } from '../model/job.ts';
import type { User } from '../model/user/user.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import type { StepPorts } from '../jobs/step.ts';
import { trimLog } from '../write/journal/trim-log.ts';
import { originOf } from '../write/journal/journal.ts';

/** What members of the same workspaces see of a user. */
const PROFILE = ['name', 'email', 'avatar', 'phone'] as const;

/** Workspaces whose log one step writes to. Each is locked until the step is committed. */
const WORKSPACES_PER_STEP = 8;

/** More jobs than one user ever has at once. */
const JOBS = 10;

/**
 * Stores a job that logs the change of a profile in each workspace of the user. A user has one such job at
 * most, however often they change it.
 */
export async function logProfileChange(tx: Transaction, context: Context, before: User, after: User): Promise<void> {
  const fields = PROFILE.filter((field) => before[field] !== after[field]);
  if (fields.length === 0 || (await tx.structures.ofUser(after.id, { limit: 1 })).length === 0) return;
  const origin = originOf(context);
  const jobs = await tx.jobs.list('ofWorkspace', { workspaceId: after.id }, { limit: JOBS });
  const known = jobs.find((job) => job.kind === 'profile-change');
  if (known !== undefined) {
    const merged = { ...known, fields: [...new Set([...known.fields, ...fields])], origin };
    await tx.jobs.replace(known.after === null ? merged : { ...merged, again: true });
    return;
  }
  await enqueueJob(tx, context, {
    kind: 'profile-change',
    id: context.ids.next(),
    workspaceId: after.id,
    notBefore: null,
    after: null,
    fields,
    origin,
  });
}

/** Logs a change of the member in some workspaces of the user. */
export async function profileChangeStep(
  tx: Transaction,
  job: ProfileChange,
  ports: StepPorts,
): Promise<ProfileChange | null> {
  const { workspaceId: userId, after, fields, origin } = job;
  const found = await tx.structures.ofUser(userId, { after, limit: WORKSPACES_PER_STEP });
  for (const { workspace, member } of found) {
    const nowhere = { pageId: null, fromPageId: null, boardId: null, fromBoardId: null, taskId: null };
    const of = { kind: 'member', action: 'update', recordId: member.id, version: member.version } as const;
    const head = await tx.changeLog.append(workspace.id, [
      { ...of, ...nowhere, fields, ...origin, at: timestamp(ports), revision: null, fromRevision: null, entry: null },
    ]);
    await trimLog(tx, workspace.id, { head, added: 1 }, ports);
  }
  if (found.length === WORKSPACES_PER_STEP) return { ...job, after: found.at(-1)!.workspace.id };
  const { again, ...once } = job;
  return again === true ? { ...once, after: null } : null;
}
