import { LEVELS } from '../model/access/level.ts';
import { OWNER, ROLES } from '../model/access/role.ts';
import { KEY_LIMIT } from '../kernel/order-key.ts';
import { inSteps, forEachItemStepwise } from '../kernel/stepwise.ts';
import type { Member } from '../model/workspace/member.ts';
import type { Page } from '../model/workspace/page.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Yielder } from '../ports/yielder.ts';
import { entryCount } from '../tree/totals.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Finding } from './finding.ts';

/** The source of the members' users. */
interface Users {
  readonly users: Pick<ReadTransaction['users'], 'many'>;
}

/** Checks the members, the page tree, access settings and entries. */
export async function structureFindings(tx: Users, structure: Structure, yielder: Yielder): Promise<Finding[]> {
  const found = await memberFindings(tx, structure, yielder);
  const sound = new Set<string>();
  for (const page of structure.pages()) {
    found.push(...pageFindings(structure, page, sound));
    const pause = yielder.step(1 + entryCount(page));
    if (pause !== null) await pause;
  }
  return found;
}

async function memberFindings(tx: Users, structure: Structure, yielder: Yielder): Promise<Finding[]> {
  const workspaceId = structure.workspace.id;
  const found: Finding[] = [];
  const members: Member[] = [];
  const userIds: string[] = [];
  const collect = forEachItemStepwise(structure.members(), (member) => {
    members.push(member);
    userIds.push(member.userId);
  });
  await inSteps(collect, yielder);
  const users = await tx.users.many(userIds);
  const report = (id: string, detail: string, rule: Finding['rule'] = 'member') =>
    found.push({ workspaceId, rule, id, detail });
  let hasOwner = false;
  for (const member of members) {
    hasOwner ||= member.active && member.role === OWNER && users.get(member.userId)?.disabled === false;
    const pause = yielder.step();
    if (pause !== null) await pause;
    if (!users.has(member.userId)) report(member.id, 'has no user');
    if (!(ROLES as readonly number[]).includes(member.role)) report(member.id, `has the unknown role ${member.role}`);
    if (!Number.isSafeInteger(member.membership) || member.membership < 1)
      report(member.id, 'has no valid membership number');
    if (structure.memberOfUser(member.userId)?.id !== member.id)
      report(member.id, 'is a second member for the same user');
  }
  if (!hasOwner) report(workspaceId, 'has no owner who can sign in', 'owner');
  return found;
}

function pageFindings(structure: Structure, page: Page, sound: Set<string>): Finding[] {
  const found: Finding[] = [];
  const report = (rule: Finding['rule'], detail: string) =>
    found.push({ workspaceId: structure.workspace.id, rule, id: page.id, detail });
  if (page.parentId !== null && structure.page(page.parentId) === undefined)
    report('tree', 'has a parent that does not exist');
  if (isInCycle(structure, page, sound)) report('tree', 'is below itself');
  if (!Number.isInteger(page.orderKey) || Math.abs(page.orderKey) > KEY_LIMIT)
    report('order', 'has no valid order key');
  if (page.contentId !== null && page.contentId !== page.id) report('content', 'has content with another id');
  if (page.type === 'board' && page.contentId === null) report('content', 'is a board page without a board');
  if (page.type === 'folder' && page.contentId !== null) report('content', 'is a folder with content');
  if ((page.boardId !== null) !== (page.type === 'task' && page.contentId !== null)) {
    report('content', 'does not name the board of its task');
  }
  const { inherit, defaultAccess } = page.settings;
  if (inherit !== (defaultAccess === null)) report('access', 'has settings that contradict each other');
  for (const [memberId, { level, membership }] of Object.entries(page.entries)) {
    const member = structure.member(memberId);
    if (member === undefined) report('access', `has an entry of an unknown member: ${memberId}`);
    else if (membership > member.membership)
      report('access', `has an entry of a membership that has not begun: ${memberId}`);
    if (!LEVELS.includes(level)) report('access', `has an entry with the unknown level ${level}`);
  }
  return found;
}

/**
 * @param sound ids of pages that are known to lead to the top; new ones are added, so that checking all pages takes
 * O(pages)
 */
function isInCycle(structure: Structure, page: Page, sound: Set<string>): boolean {
  const path = new Set<string>();
  let at: Page | undefined = page;
  while (at !== undefined && !sound.has(at.id)) {
    // A cycle further up is reported for the pages in it.
    if (path.has(at.id)) return at.id === page.id;
    path.add(at.id);
    at = at.parentId === null ? undefined : structure.page(at.parentId);
  }
  for (const id of path) sound.add(id);
  return false;
}
