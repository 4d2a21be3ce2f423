import { expect } from 'chai';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { LINK_TYPES } from '../../../core/model/content/task-links.ts';
import type { Session } from '../../../core/session.ts';
import { outcome } from '../../fixtures/world/world.ts';

const MISSING = '00000000-0000-7000-8000-0123456789ab';
/** Of whatever a call takes. */
const VERY_MANY = 100_000;

/** Ids of one workspace. */
interface Place {
  readonly at: { readonly workspaceId: string };
  readonly memberId: string;
  readonly folder: string;
  readonly boardId: string;
  readonly tagId: string;
  /** The second is a child of the first and blocked by it; the third is full of items; the fourth has nothing. */
  readonly tasks: readonly [string, string, string, string];
  /** Of the first task. */
  readonly items: readonly [string, string];
  /** A folder in the trash with another below it. */
  readonly trashed: string;
  readonly belowTrashed: string;
}

/** What a call is given, and the code that refuses it. */
type Refused = readonly [code: string, input: object];

/** By operation. What is wrong with a single field by its schema is tried in `bad-input`; these are well formed. */
function refusals(here: Place, there: Place): Readonly<Record<string, readonly Refused[]>> {
  const { at, tasks, items, boardId, folder, trashed } = here;
  const [one, two, full, bare] = tasks;
  const on = { ...at, taskId: one };
  const link = (fromTaskId: string, type: string, taskId: string) => ({ ...at, fromTaskId, type, taskId });
  const ids = (count: number) =>
    Array.from({ length: count }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`);
  const selections: readonly Refused[] = [
    ['invalid-input', {}],
    ['invalid-input', { taskIds: [] }],
    ['invalid-input', { taskIds: [one, two, one] }],
    ['invalid-input', { taskIds: [one, one.toUpperCase()] }],
    ['invalid-input', { taskIds: ids(1_001) }],
    ['invalid-input', { taskIds: ids(VERY_MANY) }],
    ['invalid-input', { taskIds: [one], filter: {}, count: 1 }],
    ['invalid-input', { taskIds: [one], count: 1 }],
    ['invalid-input', { filter: {} }],
    ['invalid-input', { filter: { surprise: 1 }, count: 1 }],
    ['invalid-input', { filter: JSON.parse('{"__proto__": []}') as object, count: 1 }],
    ['invalid-input', { filter: { metadata: JSON.parse('{"__proto__": ["x"]}') as object }, count: 1 }],
    ['invalid-input', { filter: { boardId: ids(VERY_MANY) }, count: 1 }],
    ['invalid-input', { filter: { metadata: { k: Array(VERY_MANY).fill('x') } }, count: 1 }],
    ...[-1, 1.5, NaN, Infinity, 2 ** 53].map((count): Refused => ['invalid-input', { filter: {}, count }]),
    ['count-mismatch', { filter: {}, count: Number.MAX_SAFE_INTEGER }],
    ['count-mismatch', { filter: { boardId: [there.boardId] }, count: 1 }],
    ['count-mismatch', { filter: { parentTaskId: [there.tasks[0]] }, count: 1 }],
    ['unusable-reference', { taskIds: [one, there.tasks[0]] }],
    ['unusable-reference', { taskIds: [one, MISSING] }],
    ['unusable-reference', { taskIds: [one, folder] }],
  ];
  const set = { priority: 7 };
  const histories = (subject: object, cursor: string): readonly Refused[] =>
    [0, -1, 501, VERY_MANY, 1.5, NaN]
      .map((limit): Refused => ['invalid-input', { ...at, ...subject, limit }])
      .concat(
        ['', 'x', cursor, '0.1', `${'9'.repeat(30)}.1`].map((one) => [
          'invalid-input',
          { ...at, ...subject, cursor: one },
        ]),
      );
  const copies = (source: object): readonly Refused[] => [
    ['unusable-reference', { ...at, ...source, parentId: there.folder }],
    ['unusable-reference', { ...at, ...source, parentId: MISSING }],
    ['unusable-reference', { ...at, ...source, parentId: trashed }],
    ['not-found', { ...source, workspaceId: there.at.workspaceId }],
    ['invalid-input', { ...at, ...source, name: '😀'.repeat(501) }],
    ['invalid-input', { ...at, ...source, name: ' \n' }],
    ['invalid-input', { ...at, ...source, tasks: 'yes' }],
  ];
  return {
    'checklists.create': [
      ['limit-reached', { ...at, taskId: full, text: 'x' }],
      ['invalid-input', { ...on, text: '😀'.repeat(501) }],
      ['invalid-input', { ...on, text: ' \u00a0 ' }],
      ['invalid-input', { ...on, text: 'x', beforeItemId: items[0], afterItemId: items[1] }],
      ['unusable-reference', { ...on, text: 'x', beforeItemId: there.items[0] }],
      ['unusable-reference', { ...at, taskId: two, text: 'x', afterItemId: items[0] }],
      ['unusable-reference', { ...on, text: 'x', assigneeId: there.memberId }],
      ['not-found', { ...at, taskId: there.tasks[0], text: 'x' }],
    ],
    'checklists.update': [
      ['unusable-reference', { ...on, itemId: items[0], beforeItemId: there.items[0] }],
      ['unusable-reference', { ...on, itemId: items[0], afterItemId: items[0] }],
      ['unusable-reference', { ...on, itemId: items[0], assigneeId: there.memberId }],
      ['not-found', { ...on, itemId: there.items[0], done: true }],
      ['not-found', { ...at, taskId: two, itemId: items[0], done: true }],
      ['invalid-input', { ...on, itemId: items[0], text: '😀'.repeat(501) }],
    ],
    'checklists.delete': [
      ['not-found', { ...on, itemId: there.items[0] }],
      ['not-found', { ...at, taskId: two, itemId: items[0] }],
      ['not-found', { ...on, itemId: one }],
    ],
    'tasks.link': [
      ...LINK_TYPES.map((type): Refused => ['invalid-input', link(one, type, one)]),
      ...LINK_TYPES.map((type): Refused => ['unusable-reference', link(one, type, there.tasks[0])]),
      ...['__proto__', 'constructor', 'child', 'blockedBy', '', 'PARENT'].map((type): Refused => [
        'invalid-input',
        link(bare, type, one),
      ]),
      ['link-cycle', link(one, 'parent', two)],
      ['link-cycle', link(two, 'blocks', one)],
      ['has-parent', link(two, 'parent', bare)],
      ['unusable-reference', link(one, 'relates', folder)],
      ['not-found', link(there.tasks[0], 'relates', one)],
    ],
    'tasks.unlink': [
      ['invalid-input', link(one, '__proto__', two)],
      ['invalid-input', link(one, 'child', two)],
      ['not-found', link(one, 'relates', two)],
      ['not-found', link(two, 'parent', there.tasks[0])],
    ],
    'tasks.unlinkParent': [
      ['not-found', { ...at, fromTaskId: bare }],
      ['not-found', { ...at, fromTaskId: there.tasks[1] }],
    ],
    'tasks.updateMany': [
      ...selections.map(([code, input]): Refused => [code, { ...at, ...input, set }]),
      ['invalid-input', { ...at, taskIds: [one], set: {} }],
      ['invalid-input', { ...at, taskIds: [one], set: { title: 'x' } }],
      ['invalid-input', { ...at, taskIds: [one], set: { ...set, externalId: 'x' } }],
      ['invalid-input', { ...at, taskIds: [one], set: JSON.parse('{"__proto__": {"priority": 1}}') as object }],
      ['invalid-input', { ...at, taskIds: [one], set: { addTags: ids(VERY_MANY) } }],
      ['invalid-input', { ...at, taskIds: [one], set: { tags: [], addTags: [here.tagId] } }],
      ['invalid-input', { ...at, taskIds: [one], set: { beforeTaskId: two, afterTaskId: bare } }],
      ['invalid-input', { ...at, taskIds: [one], set: { dateStart: '2026-03-02', dateEnd: '2026-03-01' } }],
      ['unusable-reference', { ...at, taskIds: [one], set: { addTags: [there.tagId] } }],
      ['unusable-reference', { ...at, taskIds: [one], set: { addAssignees: [there.memberId] } }],
      ['unusable-reference', { ...at, taskIds: [one], set: { boardId: there.boardId } }],
      ['unusable-reference', { ...at, taskIds: [one], set: { beforeTaskId: one } }],
      ['unusable-reference', { ...at, taskIds: [one], set: { afterTaskId: there.tasks[0] } }],
      ['not-found', { ...at, workspaceId: MISSING, taskIds: [one], set }],
    ],
    'tasks.deleteMany': selections.map(([code, input]): Refused => [code, { ...at, ...input }]),
    'tasks.history': [...histories({ taskId: one }, 'x.1'), ['not-found', { ...at, taskId: there.tasks[0] }]],
    'boards.history': [...histories({ boardId }, 'x.1'), ['not-found', { ...at, boardId: there.boardId }]],
    'pages.history': [...histories({ pageId: folder }, 'x.1'), ['not-found', { ...at, pageId: there.folder }]],
    'boards.copy': [...copies({ boardId }), ['not-found', { ...at, boardId: folder }]],
    'pages.copy': [...copies({ pageId: folder }), ['not-found', { ...at, pageId: trashed }]],
    'trash.restore': [
      ['not-found', { ...at, trashId: MISSING }],
      ['not-found', { ...at, trashId: folder }],
      ['not-found', { ...at, trashId: there.trashed }],
      ['not-found', { ...at, trashId: here.belowTrashed }],
      ['unusable-reference', { ...at, trashId: trashed, parentId: trashed }],
      ['unusable-reference', { ...at, trashId: trashed, parentId: here.belowTrashed }],
      ['unusable-reference', { ...at, trashId: trashed, parentId: there.folder }],
    ],
    'trash.delete': [
      ['not-found', { ...at, trashId: folder }],
      ['not-found', { ...at, trashId: there.trashed }],
      ['not-found', { ...at, trashId: here.belowTrashed }],
    ],
    'trash.list': [0, -1, VERY_MANY].map((limit): Refused => ['invalid-input', { ...at, limit }]),
    'workspaces.update': [
      ['a b', '', '__proto__', 'ä'].map((key) => [key]),
      ['a', 'b', 'c', 'd', 'e', 'f'],
      ['a', 'a'],
      ids(VERY_MANY),
    ]
      .flatMap((keys) => (Array.isArray(keys[0]) ? (keys as string[][]) : [keys as string[]]))
      .map((indexedMetadata): Refused => ['invalid-input', { ...at, indexedMetadata }]),
    'tasks.list': [
      ['invalid-input', { ...at, parentTaskId: ids(101) }],
      ['invalid-input', { ...at, linkedTo: ['none'] }],
      ['invalid-input', { ...at, metadata: JSON.parse('{"__proto__": ["x"]}') as object }],
      ['invalid-input', { ...at, metadata: Object.fromEntries(ids(11).map((id) => [id, ['x']])) }],
      ['invalid-input', { ...at, noMetadata: ['a/b'] }],
    ],
  };
}

describe('hostile inputs of metadata, history, trash, links, checklists, copies and changes of many', () => {
  let espalier: Espalier;
  let ada: Session;
  let table: ReturnType<typeof refusals>;
  let workspaces: readonly string[];

  before(async () => {
    espalier = createEspalier({ store: memoryStore() });
    ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
    const ben = espalier.as(await espalier.users.create({ name: 'Ben', email: 'ben@example.org' }));
    const [here, there] = [await newPlace(ada), await newPlace(ben)];
    workspaces = [here, there].map(({ at }) => at.workspaceId);
    table = refusals(here, there);
  });

  after(() => espalier.close());

  it('are refused by what is wrong with them, and change nothing', async () => {
    const before = await everything();
    const wrong: unknown[] = [];
    for (const [operation, cases] of Object.entries(table)) {
      const [noun, verb] = operation.split('.') as [keyof Session, string];
      for (const [code, input] of cases) {
        const call = (ada[noun] as unknown as Record<string, (input: object) => Promise<unknown>>)[verb]!;
        const told = await outcome(call(input));
        if (told !== code) wrong.push([operation, JSON.stringify(input).slice(0, 300), told, code]);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(await everything()).to.deep.equal(before);
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
    expect((await espalier.operator.doctor.check()).findings).to.deep.equal([]);
  });

  /** All that the operator can export. */
  async function everything(): Promise<string[]> {
    const lines: string[] = [];
    for (const workspaceId of workspaces) {
      await espalier.operator.exports.workspace({
        workspaceId,
        sink: (record) => void lines.push(JSON.stringify(record)),
      });
    }
    return lines;
  }
});

async function newPlace(who: Session): Promise<Place> {
  const { id: workspaceId, memberId } = await who.workspaces.create({ name: 'Acme' });
  const at = { workspaceId };
  const newFolder = async (name: string, parentId: string | null) =>
    (await who.pages.create({ ...at, name, type: 'folder', parentId })).id;
  const folder = await newFolder('Folder', null);
  const { id: boardId } = await who.boards.create({ ...at, name: 'Board', parentId: folder });
  await who.statuses.create({ ...at, boardId, name: 'Todo' });
  const { id: tagId } = await who.tags.create({ ...at, boardId, name: 'red' });
  const newTask = async (title: string) => (await who.tasks.create({ ...at, boardId, title })).id;
  const tasks = [await newTask('One'), await newTask('Two'), await newTask('Full'), await newTask('Bare')] as const;
  const newItem = async (taskId: string) => (await who.checklists.create({ ...at, taskId, text: 'x' })).id;
  const items = [await newItem(tasks[0]), await newItem(tasks[0])] as const;
  for (let n = 0; n < 100; n += 1) await newItem(tasks[2]);
  await who.tasks.link({ ...at, fromTaskId: tasks[1], type: 'parent', taskId: tasks[0] });
  await who.tasks.link({ ...at, fromTaskId: tasks[0], type: 'blocks', taskId: tasks[1] });
  const trashed = await newFolder('Trashed', null);
  const belowTrashed = await newFolder('Below', trashed);
  await who.pages.delete({ ...at, pageId: trashed });
  return { at, memberId, folder, boardId, tagId, tasks, items, trashed, belowTrashed };
}
