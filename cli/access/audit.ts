import type { AuditedAccess } from '../../core/access/audit.ts';
import { allItems } from '../all-items.ts';
import { csv } from '../output/format/csv.ts';
import type { SafeText } from '../io/safe-text.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { SOURCE_WORDS } from './source-words.ts';

/** The access of one member on one page, with names. */
export interface AuditLine extends Omit<AuditedAccess, 'from' | 'expanded'> {
  /** Its path. */
  readonly page: string;
  readonly member: string;
  readonly from: string;
}

/** The access of every member on every page that the caller sees. */
export async function auditLines(workspace: WorkspaceLookup, findings: boolean): Promise<readonly AuditLine[]> {
  const { session, workspaceId } = workspace;
  const [paths, members] = await Promise.all([workspace.paths(), workspace.members()]);
  const names = new Map(members.map(({ id, name, email }) => [id, `${name} <${email}>`]));
  const lines: AuditLine[] = [];
  for await (const entry of allItems((part) => session.access.audit({ workspaceId, findings, ...part }))) {
    const page = paths.get(entry.pageId) ?? entry.pageId;
    const member = names.get(entry.memberId) ?? entry.memberId;
    lines.push({ ...entry, page, member, from: SOURCE_WORDS[entry.from] });
  }
  return lines;
}

const FIELDS = ['page', 'pageId', 'member', 'memberId', 'role', 'access', 'base', 'type'] as const;

export function asCsv(lines: readonly AuditLine[]): SafeText {
  const rows = lines.map((line) => [...FIELDS.map((field) => line[field]), line.findings.join(' ')]);
  return csv([...FIELDS, 'findings'], rows);
}
