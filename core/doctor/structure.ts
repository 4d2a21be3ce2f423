import { LEVELS } from '../access/level.ts';
import { OWNER, ROLES } from '../access/role.ts';
import { KEY_LIMIT } from '../order-key.ts';
import type { Page } from '../page/page.ts';
import type { ReadTransaction } from '../store.ts';
import type { Structure } from '../structure/structure.ts';
import type { Finding } from './finding.ts';

/** What is wrong with members, tree, settings and entries. */
export async function structureFindings(tx: ReadTransaction, structure: Structure): Promise<Finding[]> {
  const found = [...(await memberFindings(tx, structure))];
  for (const page of structure.pages()) found.push(...pageFindings(structure, page));
  return found;
}

async function memberFindings(tx: ReadTransaction, structure: Structure): Promise<Finding[]> {
  const workspaceId = structure.workspace.id;
  const found: Finding[] = [];
  const members = [...structure.members()];
  const users = await tx.users.many(members.map((member) => member.userId));
  const tell = (id: string, detail: string, rule: Finding['rule'] = 'member') =>
    found.push({ workspaceId, rule, id, detail });
  for (const member of members) {
    if (!users.has(member.userId)) tell(member.id, 'has no user');
    if (!(ROLES as readonly number[]).includes(member.role)) tell(member.id, `has the unknown role ${member.role}`);
    if (structure.memberOfUser(member.userId)?.id !== member.id) tell(member.id, 'is a second member of one user');
  }
  const owners = members.filter((member) => member.active && member.role === OWNER);
  if (!owners.some((owner) => users.get(owner.userId)?.disabled === false)) {
    tell(workspaceId, 'has no owner who can sign in', 'owner');
  }
  return found;
}

function pageFindings(structure: Structure, page: Page): Finding[] {
  const found: Finding[] = [];
  const tell = (rule: Finding['rule'], detail: string) =>
    found.push({ workspaceId: structure.workspace.id, rule, id: page.id, detail });
  if (page.parentId !== null && structure.page(page.parentId) === undefined)
    tell('tree', 'has a parent that is not there');
  if (isInCycle(structure, page)) tell('tree', 'stands inside itself');
  if (!Number.isInteger(page.orderKey) || Math.abs(page.orderKey) > KEY_LIMIT) tell('order', 'has no valid order key');
  if (page.contentId !== null && page.contentId !== page.id) tell('content', 'shows something of another id');
  if (page.type === 'board' && page.contentId === null) tell('content', 'is a board page without a board');
  if (page.type === 'folder' && page.contentId !== null) tell('content', 'is a folder that shows something');
  if ((page.boardId !== null) !== (page.type === 'task' && page.contentId !== null)) {
    tell('content', 'does not note the board of its task');
  }
  const { inherit, defaultAccess } = page.settings;
  if (inherit !== (defaultAccess === null)) tell('access', 'has settings that contradict each other');
  for (const [memberId, level] of Object.entries(page.entries)) {
    if (structure.member(memberId) === undefined) tell('access', `has an entry of nobody: ${memberId}`);
    if (!LEVELS.includes(level)) tell('access', `has an entry with the unknown level ${level}`);
  }
  return found;
}

function isInCycle(structure: Structure, page: Page): boolean {
  let steps = 0;
  for (let at: Page | undefined = page; at !== undefined && at.parentId !== null; at = structure.page(at.parentId)) {
    if (at.parentId === page.id) return true;
    // A cycle further up belongs to the pages in it.
    if (++steps > 100_000) return true;
  }
  return false;
}
