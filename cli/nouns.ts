import type { NounEntry } from './verb.ts';

export const NOUNS: readonly NounEntry[] = [
  {
    name: 'init',
    summary: 'make a store, its first user, and a profile',
    load: async () => (await import('./commands/init.ts')).init,
  },
  { name: 'serve', summary: 'run the HTTP service', load: async () => (await import('./commands/serve.ts')).serve },
  { name: 'workspace', summary: 'workspaces', load: async () => (await import('./commands/workspace.ts')).workspace },
  {
    name: 'member',
    summary: 'members of a workspace',
    load: async () => (await import('./commands/member.ts')).member,
  },
  {
    name: 'invitation',
    summary: 'invitations to a workspace',
    load: async () => (await import('./commands/invitation.ts')).invitation,
  },
  { name: 'page', summary: 'the page tree', load: async () => (await import('./commands/page.ts')).page },
  {
    name: 'access',
    summary: 'who may do what on a page',
    load: async () => (await import('./commands/access.ts')).access,
  },
  { name: 'board', summary: 'boards', load: async () => (await import('./commands/board.ts')).board },
  { name: 'status', summary: 'columns of a board', load: async () => (await import('./commands/status.ts')).status },
  { name: 'tag', summary: 'tags of a board', load: async () => (await import('./commands/tag.ts')).tag },
  { name: 'task', summary: 'tasks', load: async () => (await import('./commands/task.ts')).task },
  { name: 'comment', summary: 'comments on tasks', load: async () => (await import('./commands/comment.ts')).comment },
  { name: 'me', summary: 'the user you act as', load: async () => (await import('./commands/me.ts')).me },
  { name: 'user', summary: 'users of the store', load: async () => (await import('./commands/user.ts')).user },
  { name: 'token', summary: 'API tokens', load: async () => (await import('./commands/token.ts')).token },
  {
    name: 'quota',
    summary: 'how much there may be in a store',
    load: async () => (await import('./commands/quota.ts')).quota,
  },
  {
    name: 'audit',
    summary: 'who did what to members, access and settings',
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  {
    name: 'export',
    summary: 'write a whole workspace out',
    load: async () => (await import('./commands/export.ts')).exporting,
  },
  {
    name: 'import',
    summary: 'bring boards and workspaces in',
    load: async () => (await import('./commands/import.ts')).imports,
  },
  {
    name: 'doctor',
    summary: 'look for what must not be in a store',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  { name: 'config', summary: 'settings and profiles', load: async () => (await import('./commands/config.ts')).config },
  {
    name: 'completion',
    summary: 'completion for bash, zsh and fish',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  {
    name: 'openapi',
    summary: 'print the OpenAPI document of the service',
    load: async () => (await import('./commands/openapi.ts')).openapi,
  },
  {
    name: 'worker',
    summary: 'one process of serve --workers',
    hidden: true,
    load: async () => (await import('./commands/worker.ts')).worker,
  },
  {
    name: 'complete',
    summary: 'candidates for the completion scripts',
    hidden: true,
    load: async () => (await import('./commands/completion.ts')).complete(NOUNS),
  },
];
