import type { NounEntry } from './verb.ts';

/** Examples of the program as a whole, one after another from a new store on, without the program's name. */
export const FIRST_STEPS: readonly string[] = [
  'init --name Ada --email ada@example.org',
  'workspace create --name Acme',
  'board create --name Launch',
  'task list --board Launch --assignee me',
];

export const NOUNS: readonly NounEntry[] = [
  {
    name: 'init',
    summary: 'make a store, its first user, and a profile',
    load: async () => (await import('./commands/store/init.ts')).init,
  },
  {
    name: 'login',
    summary: 'sign in to a running service, and keep that in a profile',
    load: async () => (await import('./commands/user/login.ts')).login,
  },
  {
    name: 'serve',
    summary: 'run the HTTP service',
    load: async () => (await import('./commands/service/serve.ts')).serve,
  },
  {
    name: 'workspace',
    summary: 'make and manage workspaces',
    load: async () => (await import('./commands/workspace/workspace.ts')).workspace,
  },
  {
    name: 'member',
    summary: 'list members, change their roles, remove them',
    load: async () => (await import('./commands/workspace/member.ts')).member,
  },
  {
    name: 'invitation',
    summary: 'invite people, and accept invitations',
    load: async () => (await import('./commands/workspace/invitation.ts')).invitation,
  },
  {
    name: 'page',
    summary: 'draw and change the page tree',
    load: async () => (await import('./commands/content/page.ts')).page,
  },
  {
    name: 'access',
    summary: 'who may do what on a page',
    load: async () => (await import('./commands/workspace/access.ts')).access,
  },
  {
    name: 'board',
    summary: 'make, draw and change boards',
    load: async () => (await import('./commands/content/board.ts')).board,
  },
  {
    name: 'status',
    summary: 'the columns of a board',
    load: async () => (await import('./commands/content/status.ts')).status,
  },
  { name: 'tag', summary: 'the tags of a board', load: async () => (await import('./commands/content/tag.ts')).tag },
  {
    name: 'task',
    summary: 'list, make, change and move tasks',
    load: async () => (await import('./commands/content/task.ts')).task,
  },
  {
    name: 'checklist',
    summary: 'what is to be done for a task, item by item',
    load: async () => (await import('./commands/content/checklist.ts')).checklist,
  },
  {
    name: 'trash',
    summary: 'what was deleted: restore it, or delete it for good',
    load: async () => (await import('./commands/content/trash.ts')).trash,
  },
  {
    name: 'comment',
    summary: 'comment on tasks',
    load: async () => (await import('./commands/content/comment.ts')).comment,
  },
  {
    name: 'whoami',
    summary: 'show who you are',
    load: async () => (await import('./commands/user/me.ts')).whoami,
  },
  { name: 'me', summary: 'the user you act as', load: async () => (await import('./commands/user/me.ts')).me },
  {
    name: 'user',
    summary: 'the users of a store (for administrators)',
    load: async () => (await import('./commands/user/user.ts')).user,
  },
  { name: 'token', summary: 'API tokens', load: async () => (await import('./commands/user/token.ts')).token },
  {
    name: 'quota',
    summary: 'limits of what a store may hold',
    load: async () => (await import('./commands/store/quota.ts')).quota,
  },
  {
    name: 'audit',
    summary: 'who did what to members, access and settings',
    load: async () => (await import('./commands/workspace/audit.ts')).audit,
  },
  {
    name: 'export',
    summary: 'export a whole workspace',
    load: async () => (await import('./commands/store/export.ts')).exporting,
  },
  {
    name: 'import',
    summary: 'import boards and workspaces',
    load: async () => (await import('./commands/store/import.ts')).imports,
  },
  {
    name: 'changes',
    summary: 'what has changed in a workspace',
    load: async () => (await import('./commands/workspace/changes.ts')).changes,
  },
  {
    name: 'snapshot',
    summary: 'export all that you see of a workspace',
    load: async () => (await import('./commands/workspace/snapshot.ts')).snapshot,
  },
  {
    name: 'watch',
    summary: 'follow what changes in a workspace',
    load: async () => (await import('./commands/workspace/watch.ts')).watch,
  },
  {
    name: 'doctor',
    summary: 'check a store for broken rules',
    load: async () => (await import('./commands/store/doctor.ts')).doctor,
  },
  {
    name: 'config',
    summary: 'settings and profiles',
    load: async () => (await import('./commands/shell/config.ts')).config,
  },
  {
    name: 'completion',
    summary: 'completion for bash, zsh and fish',
    load: async () => (await import('./commands/shell/completion.ts')).completion,
  },
  {
    name: 'docs',
    summary: 'open the reference of the HTTP interface in a browser',
    load: async () => (await import('./commands/service/docs.ts')).docs,
  },
  {
    name: 'openapi',
    summary: 'print the OpenAPI document of the service',
    load: async () => (await import('./commands/service/openapi.ts')).openapi,
  },
  {
    name: 'worker',
    summary: 'one process of serve --workers',
    hidden: true,
    load: async () => (await import('./commands/service/worker.ts')).worker,
  },
  {
    name: 'complete',
    summary: 'candidates for the completion scripts',
    hidden: true,
    load: async () => (await import('./commands/shell/completion.ts')).complete(NOUNS),
  },
];
