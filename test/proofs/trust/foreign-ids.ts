import { hasBody, pathFields, type UseCaseName } from '../../../adapters/schemas/index.ts';
import { administrator, type Outcome } from './expectation.ts';
import type { Case, Row } from './row.ts';
import { rows, type Input } from './authorisation-case.ts';
import type { SampleService } from './sample-service.ts';

/** A request with one id in the place of another. */
export interface ForeignId {
  /** Where, as in `tasks[].tags[]`. */
  readonly field: string;
  /** Where exactly, for telling and for comparing. */
  readonly pointer: string;
  readonly variant: string;
  /** What stands there instead. */
  readonly id: string;
  readonly input: Input;
  readonly outcome: Outcome;
}

const MISSING = '00000000-0000-7000-8000-0123456789ab';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

type Noun =
  | 'workspace'
  | 'member'
  | 'page'
  | 'board'
  | 'status'
  | 'tag'
  | 'task'
  | 'item'
  | 'trash'
  | 'comment'
  | 'invitation'
  | 'user';

const NOUNS: Readonly<Record<string, Noun>> = {
  workspaceId: 'workspace',
  memberId: 'member',
  assignees: 'member',
  assigneeId: 'member',
  excludeAssigneeId: 'member',
  createdById: 'member',
  excludeCreatedById: 'member',
  authorId: 'member',
  pageId: 'page',
  parentId: 'page',
  boardId: 'board',
  excludeBoardId: 'board',
  statusId: 'status',
  excludeStatusId: 'status',
  moveTo: 'status',
  tagId: 'tag',
  tags: 'tag',
  excludeTagId: 'tag',
  taskId: 'task',
  fromTaskId: 'task',
  parentTaskId: 'task',
  excludeParentTaskId: 'task',
  linkedTo: 'task',
  excludeLinkedTo: 'task',
  beforeTaskId: 'task',
  afterTaskId: 'task',
  itemId: 'item',
  beforeItemId: 'item',
  afterItemId: 'item',
  commentId: 'comment',
  trashId: 'trash',
  invitationId: 'invitation',
  userId: 'user',
  tokenId: 'user',
};

/** Every id of a case, swapped for every other that must not do. The caller is the keeper. */
export function foreignIdsOf(
  sample: SampleService,
  useCase: UseCaseName,
  row: Row,
  { input: make, expect }: Case,
): readonly ForeignId[] {
  const operation = rows.get(useCase)!;
  const inPath = pathFields(operation.path);
  const input = make(sample);
  const all = idsIn(input);
  return all.flatMap(({ path, field }) => {
    const name = fieldName(field);
    const pathId = path.length === 1 && inPath.includes(name);
    // A filter finds nothing by such an id: another number than expected.
    const inBody: Outcome = 'filter' in input ? 'conflict' : 'unusable';
    const elsewhere: Outcome = hasBody(operation.method) ? inBody : (row.inQuery ?? 'unusable');
    return Object.entries(variants(sample, name, useCase, idAt(input, path))).flatMap(([variant, id]): ForeignId[] => {
      let outcome: Outcome = pathId ? 'not-found' : elsewhere;
      if (!pathId && variant === 'malformed') outcome = 'invalid';
      if (name === 'workspaceId' && (variant === 'other' || variant === 'foreign')) {
        const reaches = variant === 'other' || expect === administrator;
        const others = all.filter((one) => one.field !== 'workspaceId');
        // A workspace that the caller may use: then it is the other ids that do not fit.
        if (reaches && others.length === 0) return [];
        // A cursor is of one workspace.
        if (reaches && 'since' in input) outcome = 'conflict';
        else if (reaches && !others.some((one) => inPath.includes(one.field))) outcome = elsewhere;
      }
      return [
        { field, pointer: `/${path.join('/')}`, variant, id, input: replaced(input, path, id) as Input, outcome },
      ];
    });
  });
}

type Path = readonly (string | number)[];

/** Where ids stand in an input. */
function idsIn(value: unknown, path: Path = []): readonly { readonly path: Path; readonly field: string }[] {
  if (typeof value === 'string') {
    const field = path.map((part, i) => (typeof part === 'number' ? '[]' : `${i === 0 ? '' : '.'}${part}`)).join('');
    return UUID.test(value) ? [{ path, field }] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item, i) => idsIn(item, [...path, i]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => idsIn(item, [...path, key]));
}

function replaced(value: unknown, [first, ...rest]: Path, id: string): unknown {
  if (first === undefined) return id;
  if (Array.isArray(value)) return value.map((item, i) => (i === first ? replaced(item, rest, id) : (item as unknown)));
  const record = value as Input;
  return { ...record, [first]: replaced(record[first], rest, id) };
}

function idAt(value: unknown, path: Path): string {
  return path.reduce((at, part) => (at as Record<string | number, unknown>)[part], value) as string;
}

function fieldName(field: string): string {
  return field.replaceAll('[]', '').split('.').at(-1)!;
}

/** `sibling`: of another parent, or of another kind. `other`: of the keeper's own workspace. */
function variants(
  sample: SampleService,
  name: string,
  useCase: UseCaseName,
  given: string,
): Readonly<Record<string, string>> {
  const { acme, other, foreign, hidden, people } = sample;
  const noun = NOUNS[name]!;
  const bySecret = useCase === 'invitations.read' || useCase === 'invitations.join';
  const found: Readonly<Record<string, string | undefined>> = {
    sibling: siblingOf(sample, name, noun, useCase, given),
    // Nobody but the owner of a token has it.
    foreign: name === 'tokenId' ? people.ada.tokenId : noun === 'user' ? undefined : foreign[`${noun}Id`],
    // What one manages one may read by its id alone.
    other: noun === 'user' || bySecret ? undefined : other[`${noun}Id`],
    hidden:
      noun === 'user' || noun === 'workspace' || noun === 'member' || noun === 'invitation'
        ? undefined
        : hidden[`${noun}Id`],
    missing: MISSING,
    malformed: name === 'workspaceId' ? `${acme.at.workspaceId}0` : 'no-id',
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([variant, id]) => (id === undefined ? [] : [[variant, id]])),
  );
}

function siblingOf(
  { acme }: SampleService,
  name: string,
  noun: Noun,
  useCase: UseCaseName,
  given: string,
): string | undefined {
  if (noun === 'board') return acme.near.folderId;
  if (noun === 'status') return given === acme.far.statusId ? acme.near.statusId : acme.far.statusId;
  if (noun === 'tag') return given === acme.far.tagId ? acme.near.tagId : acme.far.tagId;
  if (noun === 'comment') return acme.siblingCommentId;
  if (noun === 'item') return acme.far.itemId;
  if (noun === 'member') return useCase === 'imports.board' ? undefined : acme.members.former;
  if (name === 'taskId' || name === 'fromTaskId') return acme.near.folderId;
  if (noun === 'task') return acme.far.taskId;
  if (name === 'pageId' && useCase.startsWith('tasks.')) return acme.near.folderId;
  return undefined;
}
