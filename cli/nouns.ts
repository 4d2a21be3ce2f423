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
    summary: 'create a store, its first user and a profile',
    load: async () => (await import('./commands/store/init.ts')).init,
  },
  {
    name: 'login',
    summary: 'sign in to a running service',
    load: async () => (await import('./commands/user/login.ts')).login,
  },
  {
    name: 'serve',
    summary: 'run the HTTP service',
    load: async () => (await import('./commands/service/serve.ts')).serve,
  },
  {
    name: 'workspace',
    summary: 'create and manage workspaces',
    load: async () => (await import('./commands/workspace/workspace.ts')).workspace,
  },
  {
    name: 'member',
    summary: 'manage members and their roles',
    load: async () => (await import('./commands/workspace/member.ts')).member,
  },
  {
    name: 'invitation',
    summary: 'invite people and accept invitations',
    load: async () => (await import('./commands/workspace/invitation.ts')).invitation,
  },
  {
    name: 'page',
    summary: 'show and edit the page tree',
    load: async () => (await import('./commands/content/page.ts')).page,
  },
  {
    name: 'access',
    summary: 'manage access to pages',
    load: async () => (await import('./commands/workspace/access.ts')).access,
  },
  {
    name: 'board',
    summary: 'create, show and edit boards',
    load: async () => (await import('./commands/content/board.ts')).board,
  },
  {
    name: 'status',
    summary: 'manage the columns of a board',
    load: async () => (await import('./commands/content/status.ts')).status,
  },
  {
    name: 'tag',
    summary: 'manage the tags of a board',
    load: async () => (await import('./commands/content/tag.ts')).tag,
  },
  {
    name: 'task',
    summary: 'list, create, edit and move tasks',
    load: async () => (await import('./commands/content/task.ts')).task,
  },
  {
    name: 'checklist',
    summary: 'manage the checklist of a task',
    load: async () => (await import('./commands/content/checklist.ts')).checklist,
  },
  {
    name: 'trash',
    summary: 'restore or permanently delete trashed items',
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
  { name: 'me', summary: 'show and edit your profile', load: async () => (await import('./commands/user/me.ts')).me },
  {
    name: 'user',
    summary: 'manage users (for administrators)',
    load: async () => (await import('./commands/user/user.ts')).user,
  },
  { name: 'token', summary: 'manage API tokens', load: async () => (await import('./commands/user/token.ts')).token },
  {
    name: 'quota',
    summary: 'limit what a store may hold',
    load: async () => (await import('./commands/store/quota.ts')).quota,
  },
  {
    name: 'audit',
    summary: 'show who changed members, access and settings',
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
    summary: 'list changes in a workspace',
    load: async () => (await import('./commands/workspace/changes.ts')).changes,
  },
  {
    name: 'snapshot',
    summary: 'export everything you can see in a workspace',
    load: async () => (await import('./commands/workspace/snapshot.ts')).snapshot,
  },
  {
    name: 'watch',
    summary: 'follow changes in a workspace',
    load: async () => (await import('./commands/workspace/watch.ts')).watch,
  },
  {
    name: 'backup',
    summary: 'copy a whole store to a new file',
    load: async () => (await import('./commands/store/backup.ts')).backup,
  },
  {
    name: 'doctor',
    summary: 'check the integrity of a store',
    load: async () => (await import('./commands/store/doctor.ts')).doctor,
  },
  {
    name: 'config',
    summary: 'manage settings and profiles',
    load: async () => (await import('./commands/shell/config.ts')).config,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/shell/completion.ts')).completion,
  },
  {
    name: 'docs',
    summary: 'open the HTTP API reference in a browser',
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
