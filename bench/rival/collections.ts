/**
 * What an engineer would build on PocketBase in place of the product: workspaces with members, boards with tasks. It
 * holds what the worlds of the bench hold but for the tree of pages, and every member may do all of it.
 */

/** The ways to check that the caller is a member of the workspace of the task's board. Each lets the same through. */
export const RULES = {
  relation: '@request.auth.id != "" && board.workspace.members_via_workspace.user ?= @request.auth.id',
  collection:
    '@request.auth.id != "" && @collection.members.workspace ?= board.workspace && @collection.members.user ?= @request.auth.id',
} as const;

export type Rule = keyof typeof RULES;

const text = (name: string, max = 500) => ({ type: 'text', name, max });
const number = (name: string) => ({ type: 'number', name });
const bool = (name: string) => ({ type: 'bool', name });
const date = (name: string) => ({ type: 'date', name });
const idOf = (collection: string) => (collection === 'users' ? '_pb_users_auth_' : `of_${collection}`);
const many = (name: string, of: string) => ({ type: 'relation', name, collectionId: idOf(of), maxSelect: 100 });
const one = (name: string, of: string) => ({ ...many(name, of), required: true, maxSelect: 1 });

/** As its import takes them. There are users from the start. What has no rules is for the superuser alone. */
const PLAIN = [
  {
    name: 'workspaces',
    fields: [text('name'), text('alias')],
  },
  {
    name: 'members',
    fields: [one('workspace', 'workspaces'), one('user', 'users'), number('role')],
    indexes: ['CREATE UNIQUE INDEX idx_members ON members (workspace, user)'],
  },
  {
    name: 'boards',
    fields: [one('workspace', 'workspaces'), text('name')],
  },
  {
    name: 'statuses',
    fields: [one('board', 'boards'), text('name'), number('position'), bool('done')],
  },
  {
    name: 'tags',
    fields: [one('board', 'boards'), text('name'), text('color')],
  },
  {
    name: 'tasks',
    fields: [
      one('board', 'boards'),
      number('num'),
      text('title'),
      text('description', 100_000),
      one('status', 'statuses'),
      number('position'),
      number('priority'),
      bool('complete'),
      one('createdBy', 'members'),
      date('dateStart'),
      date('dateEnd'),
      many('tags', 'tags'),
      many('assignees', 'members'),
      { type: 'autodate', name: 'created', onCreate: true },
      { type: 'autodate', name: 'updated', onCreate: true, onUpdate: true },
    ],
    indexes: ['CREATE INDEX idx_tasks ON tasks (board, position)'],
  },
];

export function collectionsWith(rule: Rule) {
  const member = RULES[rule];
  const rules = { listRule: member, viewRule: member, createRule: member, updateRule: member };
  return PLAIN.map((collection) => ({
    id: idOf(collection.name),
    type: 'base',
    ...collection,
    ...(collection.name === 'tasks' ? rules : {}),
  }));
}
