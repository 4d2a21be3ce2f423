// Sets a team up as a JSON file describes it, and may be run again: what is there already stays as it is.
// On a running service, with your token:
//
//   ESPALIER_TOKEN=esp_... node dist/examples/team-setup.js examples/team.json http://127.0.0.1:4800
import { readFile } from 'node:fs/promises';
import type { Level, PageType, PageView, Role, Session } from 'espalier';
import { createClient } from 'espalier/client';

interface Team {
  readonly workspace: { readonly name: string; readonly alias: string; readonly defaultAccess?: Level };
  readonly members: readonly { readonly email: string; readonly role: Role }[];
  readonly pages: readonly PagePlan[];
}

interface PagePlan {
  readonly name: string;
  readonly type: PageType;
  /** Stops inheritance, with this level for role Member. */
  readonly defaultAccess?: Level;
  /** By e-mail address; for those who have joined. */
  readonly access?: Readonly<Record<string, Level>>;
  readonly statuses?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly pages?: readonly PagePlan[];
}

export async function setUp(session: Session, team: Team, tell: (done: string) => void): Promise<void> {
  const { alias } = team.workspace;
  let workspace = (await session.workspaces.list()).find((one) => one.alias === alias);
  if (workspace === undefined) {
    workspace = await session.workspaces.create(team.workspace);
    tell(`made workspace ${alias}`);
  }
  const workspaceId = workspace.id;
  const members = new Map((await session.members.list({ workspaceId })).map(({ email, id }) => [email, id]));
  await invite(session, workspaceId, team, members, tell);
  const pages = await session.pages.list({ workspaceId });

  async function grow(plans: readonly PagePlan[], parentId: string | null): Promise<void> {
    for (const plan of plans) {
      const page =
        pages.find((one) => one.name === plan.name && one.parentId === parentId) ?? (await make(plan, parentId));
      await furnish(page, plan);
      await grow(plan.pages ?? [], page.id);
    }
  }

  async function make({ name, type }: PagePlan, parentId: string | null): Promise<PageView> {
    tell(`made ${type} ${name}`);
    return session.pages.create({ workspaceId, name, type, parentId });
  }

  async function furnish(page: PageView, plan: PagePlan): Promise<void> {
    const address = { workspaceId, pageId: page.id };
    if (plan.defaultAccess !== undefined) {
      await session.access.changeSettings({ ...address, inherit: false, defaultAccess: plan.defaultAccess });
    }
    const entries = await session.access.members(address);
    for (const [email, access] of Object.entries(plan.access ?? {})) {
      const memberId = members.get(email);
      const entry = entries.find((one) => one.memberId === memberId);
      if (memberId === undefined || (entry?.type === 'accepted' && entry.access === access)) continue;
      await session.access.grant({ ...address, memberId, access });
      tell(`gave ${email} ${access} on ${page.name}`);
    }
    if (page.type === 'board') await columns(page, plan);
  }

  async function columns(page: PageView, plan: PagePlan): Promise<void> {
    const address = { workspaceId, boardId: page.id };
    const board = await session.boards.get(address);
    for (const name of plan.statuses ?? []) {
      if (board.statuses.some((status) => status.name === name)) continue;
      await session.statuses.create({ ...address, name, done: name === 'Done' });
      tell(`made status ${name}`);
    }
    for (const [name, color] of Object.entries(plan.tags ?? {})) {
      if (board.tags.some((tag) => tag.name === name)) continue;
      await session.tags.create({ ...address, name, color });
      tell(`made tag ${name}`);
    }
  }

  await grow(team.pages, null);
}

/** Invites everybody in the file who is neither a member nor invited. */
async function invite(
  session: Session,
  workspaceId: string,
  team: Team,
  members: ReadonlyMap<string, string>,
  tell: (done: string) => void,
): Promise<void> {
  const { items } = await session.invitations.list({ workspaceId, limit: 500 });
  const pending = new Set(items.filter(({ status }) => status === 'pending').map(({ email }) => email));
  for (const { email, role } of team.members) {
    if (members.has(email) || pending.has(email)) continue;
    const { id } = await session.invitations.create({ workspaceId, email, role });
    tell(`invited ${email}: ${id}`);
  }
}

const [file, url = 'http://127.0.0.1:4800'] = process.argv.slice(2);
const token = process.env['ESPALIER_TOKEN'];
if (file === undefined || token === undefined) throw new Error('ESPALIER_TOKEN=... team-setup.js TEAM.json [URL]');
let changes = 0;
await setUp(createClient({ url, token }), JSON.parse(await readFile(file, 'utf8')) as Team, (done) => {
  changes++;
  console.log(done);
});
console.log(`${changes} changes`);
