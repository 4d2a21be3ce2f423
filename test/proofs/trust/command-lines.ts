import type { UseCaseName } from '../../../adapters/schemas/index.ts';
import type { Input } from './authorisation-case.ts';

/** A command as it is typed, without the program's name. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly stdin?: string;
}

/** What the command cannot be told to do gives null. */
type Typed = (input: Input) => CommandLine | null;

const words = (...args: readonly unknown[]): CommandLine => ({ args: args.map(String) });

/** `--name value` for each that is there. */
function flags(input: Input, names: Readonly<Record<string, string>>): string[] {
  return Object.entries(names).flatMap(([field, flag]) =>
    input[field] === undefined
      ? []
      : [input[field]].flat().flatMap((value) => [flag, String(value as string | number)]),
  );
}

/** A command that says all of an input, or null where it has no word for some of it. */
function line(fixed: (input: Input) => readonly unknown[], names: Readonly<Record<string, string>> = {}): Typed {
  return (input) => {
    const seen = new Set<string>(['workspaceId', ...Object.keys(names)]);
    const given = new Proxy(input, {
      get: (all, field: string) => {
        seen.add(field);
        return all[field];
      },
    });
    const args = [...fixed(given), ...flags(input, names)];
    return Object.keys(input).every((field) => seen.has(field)) ? words(...args) : null;
  };
}

const ITEM_OF = { assigneeId: '--assignee' };
const ITEM_AT = { beforeItemId: '--before', afterItemId: '--after' };
const ITEM = { ...ITEM_OF, ...ITEM_AT };
const copyFlags = (given: Input) =>
  ['tasks', 'comments', 'assignees'].flatMap((name) => (given[name] === true ? [`--${name}`] : []));

/** Of the filters the one for boards. */
function where({ filter, count }: Input, verb: string, options: readonly string[]): CommandLine | null {
  if (filter === undefined) return null;
  const { boardId } = filter as { readonly boardId: readonly string[] };
  return { args: ['task', verb, '--where', `board=${boardId.join()}`, '--count', String(count), ...options] };
}
const permanently = (input: Input) => (input['permanently'] === true ? ['--permanently'] : []);

const TASK = { title: '--title', statusId: '--status', tags: '--tag', assignees: '--assignee', pageId: '--page' };

/** How each operation is asked for by a command. */
export const commandLines: Readonly<Partial<Record<UseCaseName, Typed>>> = {
  'workspaces.list': line(() => ['workspace', 'list']),
  'workspaces.create': line(() => ['workspace', 'create'], { name: '--name' }),
  'workspaces.get': line((given) => ['workspace', 'show', given['workspaceId']]),
  'workspaces.update': line((given) => ['workspace', 'edit', given['workspaceId']], { description: '--description' }),
  'workspaces.delete': line((given) => ['workspace', 'delete', given['workspaceId'], '--yes']),
  'members.list': line(() => ['member', 'list']),
  'members.update': line((given) => ['member', 'edit', given['memberId']], { role: '--role', position: '--position' }),
  'members.remove': line((given) => ['member', 'remove', given['memberId'], '--yes']),
  'invitations.create': line(
    (given) => [
      'invitation',
      'create',
      ...((given['pages'] ?? []) as { pageId: string; access: number }[]).flatMap(({ pageId, access }) => [
        '--grant',
        `${pageId}=${access}`,
      ]),
    ],
    { role: '--role' },
  ),
  'invitations.list': line(() => ['invitation', 'list']),
  'invitations.get': line((given) => ['invitation', 'show', given['invitationId']]),
  'invitations.revoke': line((given) => ['invitation', 'revoke', given['invitationId']]),
  'invitations.read': line((given) => ['invitation', 'read', given['invitationId']]),
  'invitations.join': line((given) => ['invitation', 'accept', given['invitationId']]),
  'changes.list': line(
    (given) => ['changes', '--since', given['since'], ...(given['include'] === undefined ? [] : ['--include-records'])],
    { boardId: '--board', pageId: '--page' },
  ),
  'audit.list': line(() => ['audit', 'list']),
  'audit.service': line(() => ['audit', 'service']),
  'pages.list': line(() => ['page', 'list']),
  'pages.create': line(() => ['page', 'create'], {
    name: '--name',
    type: '--type',
    parentId: '--parent',
    taskId: '--task',
  }),
  'pages.get': line((given) => ['page', 'show', given['pageId']]),
  'pages.update': (input) =>
    input['name'] === undefined
      ? line(
          (given) => ['page', 'move', given['pageId'], ...(given['parentId'] === null ? ['--top'] : [])],
          input['parentId'] === null ? { orderIndex: '--index' } : { orderIndex: '--index', parentId: '--to' },
        )(input)
      : line((given) => ['page', 'edit', given['pageId'], '--name', given['name']])(input),
  'pages.delete': line((given) => ['page', 'delete', given['pageId'], ...permanently(given), '--yes']),
  'access.settings': line((given) => ['access', 'show', given['pageId']]),
  'access.changeSettings': line(
    (given) => ['access', 'set', given['pageId'], given['inherit'] ? '--inherit' : ''].filter(Boolean),
    {
      defaultAccess: '--default',
    },
  ),
  'access.members': line((given) => ['access', 'members', given['pageId']]),
  'access.grant': line((given) => ['access', 'grant', given['pageId'], given['memberId'], given['access']]),
  'access.revoke': line((given) => ['access', 'revoke', given['pageId'], given['memberId']]),
  'access.explain': line((given) => ['access', 'explain', given['pageId']], { memberId: '--member' }),
  'access.audit': line(() => ['access', 'audit']),
  'access.preview': line((given) => ['access', 'preview', given['pageId']], { parentId: '--to' }),
  'boards.list': line(() => ['board', 'list']),
  'boards.create': line(() => ['board', 'create', '--no-columns'], { name: '--name', parentId: '--parent' }),
  'boards.get': line((given) => ['board', 'show', given['boardId']]),
  'boards.update': line((given) => ['board', 'edit', given['boardId']], { name: '--name' }),
  'boards.delete': line((given) => ['board', 'delete', given['boardId'], ...permanently(given), '--yes']),
  'boards.copy': line((given) => ['board', 'copy', given['boardId'], ...copyFlags(given)], { parentId: '--parent' }),
  'pages.copy': line((given) => ['page', 'copy', given['pageId'], ...copyFlags(given)], { parentId: '--parent' }),
  'statuses.create': line(() => ['status', 'create'], { boardId: '--board', name: '--name' }),
  'statuses.update': line((given) => ['status', 'edit', given['statusId']], { boardId: '--board', name: '--name' }),
  'statuses.delete': line((given) => ['status', 'delete', given['statusId'], '--yes'], {
    boardId: '--board',
    moveTo: '--move-to',
  }),
  'tags.create': line(() => ['tag', 'create'], { boardId: '--board', name: '--name' }),
  'tags.update': line((given) => ['tag', 'edit', given['tagId']], { boardId: '--board', name: '--name' }),
  'tags.delete': line((given) => ['tag', 'delete', given['tagId'], '--yes'], { boardId: '--board' }),
  'tasks.list': line(() => ['task', 'list'], {
    boardId: '--board',
    statusId: '--status',
    assigneeId: '--assignee',
    tagId: '--tag',
    createdById: '--creator',
    excludeBoardId: '--exclude-board',
    excludeStatusId: '--exclude-status',
    excludeAssigneeId: '--exclude-assignee',
    excludeTagId: '--exclude-tag',
    excludeCreatedById: '--exclude-creator',
    parentTaskId: '--parent',
    excludeParentTaskId: '--exclude-parent',
    linkedTo: '--linked-to',
    excludeLinkedTo: '--exclude-linked-to',
  }),
  'tasks.create': line(() => ['task', 'create'], { ...TASK, boardId: '--board' }),
  'tasks.createMany': ({ tasks }) => ({
    args: ['task', 'create', '--from', '-', '--atomic'],
    stdin: (tasks as readonly object[]).map((task) => JSON.stringify(task)).join('\n'),
  }),
  'tasks.get': line((given) => ['task', 'show', given['taskId']]),
  'tasks.update': (input) =>
    line((given) => ['task', 'edit', given['taskId']], TASK)(input) ??
    line((given) => ['task', 'move', given['taskId']], {
      boardId: '--board',
      beforeTaskId: '--before',
      afterTaskId: '--after',
    })(input),
  'tasks.updateMany': (input) =>
    where(input, 'edit', ['--priority', String((input['set'] as { priority?: number }).priority)]),
  'tasks.deleteMany': (input) => where(input, 'delete', ['--yes']),
  'tasks.delete': line((given) => ['task', 'delete', given['taskId'], ...permanently(given), '--yes']),
  'tasks.addTag': line((given) => ['task', 'tag', given['taskId'], given['tagId']]),
  'tasks.removeTag': line((given) => ['task', 'tag', given['taskId'], given['tagId'], '--remove']),
  'tasks.assign': line((given) => ['task', 'assign', given['taskId'], given['memberId']]),
  'tasks.unassign': line((given) => ['task', 'assign', given['taskId'], given['memberId'], '--remove']),
  'tasks.link': line((given) => ['task', 'link', given['fromTaskId'], `--${given['type'] as string}`, given['taskId']]),
  'tasks.unlink': line((given) => [
    'task',
    'unlink',
    given['fromTaskId'],
    `--${given['type'] as string}`,
    given['taskId'],
  ]),
  'tasks.unlinkParent': line((given) => ['task', 'unlink', given['fromTaskId'], '--parent']),
  'tasks.history': line((given) => ['task', 'history', given['taskId']]),
  'boards.history': line((given) => ['board', 'history', given['boardId']]),
  'pages.history': line((given) => ['page', 'history', given['pageId']]),
  'checklists.create': line((given) => ['checklist', 'create', given['taskId'], given['text']], ITEM),
  'checklists.update': (input) =>
    line((given) => ['checklist', 'edit', given['taskId'], given['itemId']], { text: '--text', ...ITEM_OF })(input) ??
    line((given) => ['checklist', 'move', given['taskId'], given['itemId']], ITEM_AT)(input),
  'checklists.delete': line((given) => ['checklist', 'delete', given['taskId'], given['itemId'], '--yes']),
  'comments.create': line((given) => ['comment', 'create', given['taskId'], given['content']]),
  'comments.update': line((given) => ['comment', 'edit', given['taskId'], given['commentId'], given['content']]),
  'comments.delete': line((given) => ['comment', 'delete', given['taskId'], given['commentId'], '--yes']),
  'trash.list': line(() => ['trash', 'list']),
  'trash.restore': line((given) => ['trash', 'restore', given['trashId']], { parentId: '--to' }),
  'trash.delete': line((given) => ['trash', 'empty', given['trashId'], '--yes']),
  'me.get': line(() => ['me', 'show']),
  'me.update': line(() => ['me', 'edit'], { phone: '--phone' }),
  'tokens.list': line(() => ['token', 'list']),
  'tokens.create': line(() => ['token', 'create'], { name: '--name' }),
  'tokens.createFor': line(() => ['token', 'create'], { userId: '--user', name: '--name' }),
  'tokens.revoke': line((given) => ['token', 'revoke', given['tokenId'], '--yes']),
  'quotas.get': line(() => ['quota', 'list']),
  'quotas.update': line((given) => ['quota', 'set', `tasks=${String(given['tasks'])}`]),
  'users.list': line(() => ['user', 'list']),
  'users.create': line(() => ['user', 'create'], { name: '--name', email: '--email' }),
  'users.get': line((given) => ['user', 'show', given['userId']]),
  'users.update': line((given) => ['user', 'edit', given['userId']], { phone: '--phone' }),
};

/** Commands make the input of these from a file of another kind, and ask others first. */
export const WITHOUT_A_LINE: readonly UseCaseName[] = ['imports.board'];
