import { DENIED, FULL, VIEW, type Level } from '../../core/model/level.ts';
import { baseLevel, GUEST, OWNER } from '../../core/model/role.ts';
import { levelWithoutEntry } from '../../core/access/resolve.ts';
import type { AccessSettingsView } from '../../core/access/settings.ts';
import { sourceOf, type AccessSource } from './source.ts';
import { csv } from '../output/csv.ts';
import type { SafeText } from '../io/safe-text.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';

/** What stands out in the access to one page. */
export interface AuditLine {
  readonly page: string;
  readonly pageId: string;
  readonly member: string;
  readonly memberId: string;
  readonly role: number;
  readonly access: Level;
  /** What the role gives where no page says otherwise. */
  readonly base: Level;
  readonly type: 'accepted' | 'inherited';
  readonly from: AccessSource;
  readonly findings: readonly Finding[];
}

/**
 * `above`, `below`: than the role's default. `without-effect`: set here, and the same without it.
 * `guest-edits`: a guest with more than view. `owners-only`: nobody but owners reaches the page.
 */
export type Finding = 'above' | 'below' | 'without-effect' | 'guest-edits' | 'owners-only';

/** Who may see and do what, page by page. Made of what the caller may see: owners see all. */
export async function auditAccess(space: WorkspaceLookup): Promise<readonly AuditLine[]> {
  const { session, workspaceId } = space;
  const [{ defaultAccess }, pages, members] = await Promise.all([
    session.workspaces.get({ workspaceId }),
    space.pages(),
    space.members(),
  ]);
  const names = new Map(members.map(({ id, name, email }) => [id, `${name} <${email}>`]));
  const known = new Map<string, { readonly path: string; readonly levels: ReadonlyMap<string, Level> }>();
  const lines: AuditLine[] = [];
  // Parents come before children.
  for (const page of pages) {
    const above = page.parentId === null ? undefined : known.get(page.parentId);
    const path = above === undefined ? page.name : `${above.path}/${page.name}`;
    const address = { workspaceId, pageId: page.id };
    const [entries, settings] = await Promise.all([session.access.members(address), session.access.settings(address)]);
    known.set(page.id, { path, levels: new Map(entries.map(({ memberId, access }) => [memberId, access])) });
    const ownersOnly = entries.every(({ role, access }) => role === OWNER || access === DENIED);
    for (const { memberId, role, access, type } of entries) {
      const base = baseLevel(role, defaultAccess);
      const inherited = page.parentHidden ? undefined : (above?.levels.get(memberId) ?? base);
      const otherwise = withoutEntry(role, settings, inherited);
      const findings: Finding[] = [];
      if (access > base) findings.push('above');
      if (access < base) findings.push('below');
      if (type === 'accepted' && otherwise === access) findings.push('without-effect');
      if (role === GUEST && access > VIEW) findings.push('guest-edits');
      if (ownersOnly && role === OWNER) findings.push('owners-only');
      const member = names.get(memberId) ?? memberId;
      const from = sourceOf({ role, type }, settings, page);
      lines.push({ page: path, pageId: page.id, member, memberId, role, access, base, type, from, findings });
    }
  }
  return lines;
}

/** What a member would have without an entry on the page; undefined where what is above is not known. */
function withoutEntry(role: number, settings: AccessSettingsView, inherited: Level | undefined): Level | undefined {
  if (role === OWNER) return FULL;
  return settings.inherit && inherited === undefined
    ? undefined
    : levelWithoutEntry(settings, role, inherited ?? DENIED);
}

export function asCsv(lines: readonly AuditLine[]): SafeText {
  const rows = lines.map(({ page, pageId, member, memberId, role, access, base, type, findings }) => [
    page,
    pageId,
    member,
    memberId,
    role,
    access,
    base,
    type,
    findings.join(' '),
  ]);
  return csv(['page', 'pageId', 'member', 'memberId', 'role', 'access', 'base', 'type', 'findings'], rows);
}
