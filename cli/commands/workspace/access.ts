import { describeAccessStep } from '../../../core/access/describe-step.ts';
import type { AccessEntry } from '../../../core/access/members-access.ts';
import type { AccessStep } from '../../../core/access/explain.ts';
import type { AccessSettingsView } from '../../../core/access/settings.ts';
import type { AccessFinding } from '../../../core/access/audit.ts';
import { sourceOf } from '../../../core/access/source.ts';
import type { AuditLine } from '../../access/audit.ts';
import { MEMBER_ARG, PAGE } from '../../args.ts';
import type { CommandCall } from '../../call.ts';
import { usage } from '../../io/failure.ts';
import type { TableColumn } from '../../output/table/column.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { levelName, levelOf, roleName } from '../../config/values.ts';
import { SOURCE_WORDS } from '../../access/source-words.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';
import { newParent } from '../content/page.ts';
import { lines, safe } from '../../io/safe-text.ts';

async function settingsColumns(
  workspace: WorkspaceLookup,
  pageId: string,
): Promise<readonly TableColumn<AccessSettingsView>[]> {
  const pages = await workspace.paths();
  const path = await workspace.pathOf(pageId);
  return [
    { title: 'page', text: () => path },
    { title: 'inherits', text: ({ inherit }) => (inherit ? 'yes' : 'no') },
    { title: 'default', text: ({ defaultAccess }) => (defaultAccess === null ? '' : levelName(defaultAccess)) },
    { title: 'inherited from', text: ({ inheritedFrom }) => pages.get(inheritedFrom ?? '') ?? inheritedFrom ?? '' },
  ];
}

async function onPage(call: CommandCall) {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  return { workspace, session, workspaceId, pageId: await workspace.page(call.arg(0)) };
}

/** Names of members, as far as the caller may see them. */
async function memberNames(workspace: WorkspaceLookup): Promise<(memberId: string) => string> {
  const names = new Map((await workspace.members()).map(({ id, name, email }) => [id, `${name} <${email}>`]));
  return (memberId) => names.get(memberId) ?? memberId;
}

async function entryColumns(workspace: WorkspaceLookup, pageId: string): Promise<readonly TableColumn<AccessEntry>[]> {
  const { session, workspaceId } = workspace;
  const [name, pages] = [await memberNames(workspace), await workspace.pages()];
  const settings = await session.access.settings({ workspaceId, pageId });
  const page = pages.find(({ id }) => id === pageId);
  const from = (entry: AccessEntry) => SOURCE_WORDS[sourceOf(entry, settings, page)];
  return [
    { title: 'member', cut: true, text: ({ memberId }) => name(memberId) },
    { title: 'role', text: ({ role }) => roleName(role) },
    { title: 'access', text: ({ access }) => levelName(access) },
    { title: 'from', text: (entry, style) => (entry.type === 'accepted' ? style.bold(from(entry)) : from(entry)) },
    { title: 'id', wide: true, text: ({ memberId }) => memberId },
  ];
}

export const access: Noun = {
  name: 'access',
  summary: 'Access is what each member can do on a page: full, edit, comment, view or none.',
  verbs: [
    verb({
      name: 'show',
      summary: 'show whether a page inherits access, and from where',
      uses: ['access.settings'],
      args: [PAGE],
      examples: ['access show Engineering'],
      async run(call) {
        const { workspace, session, workspaceId, pageId } = await onPage(call);
        const settings = await session.access.settings({ workspaceId, pageId });
        call.out.record(settings, await settingsColumns(workspace, pageId));
      },
    }),
    verb({
      name: 'members',
      pages: true,
      summary: "list every member's access to a page",
      uses: ['access.members'],
      args: [PAGE],
      examples: ['access members Engineering/Launch'],
      async run(call) {
        const { workspace, session, workspaceId, pageId } = await onPage(call);
        const entries = await session.access.members({ workspaceId, pageId });
        call.out.heading(`Access to ${await workspace.pathOf(pageId)}`);
        await call.out.list(entries, call.out.isJson ? [] : await entryColumns(workspace, pageId));
      },
    }),
    verb({
      name: 'set',
      summary: 'make a page inherit access, or give it its own default',
      uses: ['access.changeSettings'],
      args: [PAGE],
      options: [
        option('--inherit', 'inherit access from the parent'),
        option('--default <level>', 'full, edit, comment, view or none for role Member instead', {
          field: 'defaultAccess',
        }),
      ],
      examples: ['access set Archive --default none', 'access set Archive --inherit'],
      async run(call) {
        const { workspace, session, workspaceId, pageId } = await onPage(call);
        const level = call.options.default;
        if (!call.options.inherit === (level === undefined)) throw usage('Use either --inherit or --default LEVEL.');
        const changes = level === undefined ? { inherit: true } : { inherit: false, defaultAccess: levelOf(level) };
        const settings = await session.access.changeSettings({ workspaceId, pageId, ...changes });
        call.out.record(settings, await settingsColumns(workspace, pageId));
      },
    }),
    verb({
      name: 'grant',
      summary: "raise or lower a member's access to a page",
      uses: ['access.grant'],
      args: [PAGE, MEMBER_ARG, { spec: '<level>', summary: 'full, edit, comment, view or none', field: 'access' }],
      examples: ['access grant Engineering/Launch ben@example.org comment'],
      async run(call) {
        const { workspace, session, workspaceId, pageId } = await onPage(call);
        const memberId = await workspace.member(call.arg(1));
        const entry = await session.access.grant({ workspaceId, pageId, memberId, access: levelOf(call.arg(2)) });
        call.out.heading(`Access to ${await workspace.pathOf(pageId)}`);
        call.out.record(entry, call.out.isJson ? [] : await entryColumns(workspace, pageId));
      },
    }),
    verb({
      name: 'revoke',
      summary: 'remove the access set for a member on a page',
      uses: ['access.revoke'],
      args: [PAGE, MEMBER_ARG],
      examples: ['access revoke Engineering ben@example.org'],
      async run(call) {
        const { workspace, session, workspaceId, pageId } = await onPage(call);
        await session.access.revoke({ workspaceId, pageId, memberId: await workspace.member(call.arg(1)) });
        call.out.note(`Removed the access set for ${call.arg(1)} on ${call.arg(0)}.`);
      },
    }),
    verb({
      name: 'explain',
      pages: true,
      summary: "explain a member's access to a page",
      uses: ['access.explain'],
      args: [PAGE],
      options: [option('--member <member>', 'member (default: you)')],
      examples: ['access explain Engineering/Launch --member ben@example.org'],
      async run(call) {
        const { workspace, session, workspaceId, pageId } = await onPage(call);
        const ref = call.options.member;
        const whose = ref === undefined ? {} : { memberId: await workspace.member(ref) };
        const explained = await session.access.explain({ workspaceId, pageId, ...whose });
        const pages = await workspace.paths();
        const steps = explained.steps.map((step) => stepText(step, pages)).map((text, i) => `${i + 1}. ${text}`);
        const who = call.out.isJson ? '' : (await memberNames(workspace))(explained.memberId);
        const where = await workspace.pathOf(pageId);
        call.out.show(explained, (style) =>
          lines([
            safe`${who}, ${roleName(explained.role)}, has ${style.bold(levelName(explained.access))} on ${where}:`,
            ...steps,
          ]),
        );
      },
    }),
    verb({
      name: 'preview',
      summary: 'preview whose access would change if a page moved',
      uses: ['access.preview'],
      moreFields: ['memberId', 'role', 'before', 'after'],
      args: [PAGE],
      options: [
        option('--to <page>', 'move it under this page', { field: 'parentId' }),
        option('--top', 'move it to the top level'),
      ],
      examples: ['access preview Roadmap --to Archive'],
      async run(call) {
        const { workspace, session, workspaceId, pageId } = await onPage(call);
        const { parentId = null } = await newParent(call, workspace);
        const preview = await session.access.preview({ workspaceId, pageId, parentId });
        const name = await memberNames(workspace);
        if (call.out.isJson) return call.out.show(preview, () => safe``);
        const where = parentId === null ? 'the top level' : await workspace.pathOf(parentId);
        const what = `Moving ${await workspace.pathOf(pageId)} to ${where}`;
        if (preview.changes.length === 0) return call.out.note(`${what} changes nothing for anyone.`);
        call.out.heading(`${what} would change:`);
        await call.out.list(preview.changes, [
          { title: 'member', cut: true, text: ({ memberId }) => name(memberId) },
          { title: 'role', text: ({ role }) => roleName(role) },
          { title: 'before', text: ({ before }) => levelName(before) },
          {
            title: 'after',
            text: ({ before, after }, style) =>
              after > before ? style.green(levelName(after)) : style.red(levelName(after)),
          },
        ]);
      },
    }),
    verb({
      name: 'audit',
      pages: true,
      summary: 'list who can access each page you can see, what differs from the defaults, and findings',
      uses: ['access.audit'],
      moreFields: ['page', 'member'],
      options: [option('--findings', 'list only findings'), option('--csv', 'print CSV')],
      examples: ['access audit --workspace acme --findings', 'access audit --csv > access.csv'],
      async run(call) {
        const { asCsv, auditLines } = await import('../../access/audit.ts');
        const lines = await auditLines(await call.workspace(), call.options.findings === true);
        if (call.options.csv) return call.out.raw(asCsv(lines));
        await call.out.list(lines, [
          { title: 'page', cut: 'start', minWidth: 14, text: ({ page }) => page },
          { title: 'member', cut: true, minWidth: 13, text: ({ member }) => member },
          { title: 'role', dropOrder: 1, text: ({ role }) => roleName(role) },
          { title: 'access', text: ({ access: level }) => levelName(level) },
          { title: 'from', dropOrder: 2, text: ({ from }) => from },
          { title: 'stands out', cut: true, minWidth: 27, text: (line, style) => style.yellow(findingsText(line)) },
        ]);
      },
    }),
  ],
};

/** The findings in words. */
function findingsText({ findings, base }: AuditLine): string {
  const words = (finding: AccessFinding) =>
    finding === 'above' || finding === 'below' ? `${finding} ${levelName(base)}` : finding.replaceAll('-', ' ');
  return findings.map(words).join(', ');
}

function stepText(step: AccessStep, pages: ReadonlyMap<string, string>): string {
  const { rule, pageId } = step;
  const onAPage = rule === 'entry' || rule === 'cap' || rule === 'default' || rule === 'silent';
  const where = onAPage ? `${pageId === null ? 'a page you cannot see' : (pages.get(pageId) ?? pageId)}: ` : '';
  return `${where}${describeAccessStep(step)}`;
}
