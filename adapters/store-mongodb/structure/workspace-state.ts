import type { Doc, WorkspaceState } from '../query/query.ts';

export function toWorkspaceState(doc: Doc | null): WorkspaceState | null {
  if (doc === null) return null;
  const { revision, open, born, nums, tally } = doc as unknown as Partial<WorkspaceState>;
  return { revision: revision ?? 0, open: open ?? false, born: born ?? 0, nums: nums ?? 0, tally: tally ?? null };
}
