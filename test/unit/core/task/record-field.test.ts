import { expect } from 'chai';
import { completedBy, type RecordField } from '../../../../core/model/content/record-field.ts';
import { TASK_FIELDS, taskFrom, WRITTEN_FIELDS } from '../../../../core/model/content/task.ts';
import { filtersOf, FILTERS, type TaskFilters } from '../../../../core/task/list/filters.ts';
import { codecsOf } from '../../../../adapters/store-embedded/encoding/record-codecs.ts';
import { board, newId, task } from '../../../contract/records.ts';

const EFFORT = { kind: 'integer', least: 0, most: 100, added: { layout: 2, before: 0 } } as const;
const URGENT = { kind: 'flag', added: { layout: 3, before: false } } as const;
/** As a release would have them that adds two fields, one in the middle. */
const LATER: Readonly<Record<string, RecordField>> = {
  ...Object.fromEntries(
    Object.entries<RecordField>(TASK_FIELDS).flatMap(([field, row]) =>
      field === 'complete'
        ? [
            ['effort', EFFORT],
            [field, row],
          ]
        : [[field, row]],
    ),
  ),
  urgent: URGENT,
};

describe('The table of the fields of a task', () => {
  const card = task(board(newId()), 1, { tags: [newId()] });
  const edited = { ...card, boardEdits: { count: 1, version: 2, updatedAt: card.updatedAt } };
  const OPTIONAL = ['boardEdits', 'metadata', 'links'];

  it('has every field of a stored task, in its order', () => {
    expect(Object.keys(TASK_FIELDS)).to.deep.equal(Object.keys({ ...edited, metadata: {}, links: {} }));
    expect(new Set(WRITTEN_FIELDS.map(([, name]) => name)).size).to.equal(WRITTEN_FIELDS.length);
  });

  it('completes a record from before a field came, and leaves a whole one as it is', () => {
    expect(taskFrom(card)).to.equal(card);
    const whole: object = completedBy(LATER, card);
    expect(whole).to.deep.equal({ ...card, effort: 0, urgent: false });
    expect(Object.keys(whole)).to.deep.equal(Object.keys(LATER).filter((field) => !OPTIONAL.includes(field)));
    expect(completedBy(LATER, whole)).to.equal(whole);
    expect(completedBy(LATER, { ...card, effort: 7 })).to.deep.equal({ ...card, effort: 7, urgent: false });
  });

  it('keeps the shapes of stored tasks as fields are added, and reads the older ones with their values', () => {
    const [now, nowEdited] = codecsOf(TASK_FIELDS);
    const [one, oneEdited, two, twoEdited, three] = codecsOf(LATER);
    for (const [shape, same, record] of [
      [now, one, card],
      [nowEdited, oneEdited, edited],
    ] as const) {
      const { ids, lists, rest } = shape!.parts(record);
      expect(same!.parts(record)).to.deep.equal({ ids, lists, rest });
      expect(same!.record(ids, lists, rest)).to.deep.equal({ ...record, effort: 0, urgent: false });
    }
    const { ids, lists, rest } = two!.parts({ ...card, effort: 7 });
    expect(two!.record(ids, lists, rest)).to.deep.equal({ ...card, effort: 7, urgent: false });
    expect(twoEdited!.fields).to.include('boardEdits').and.not.include('urgent');
    expect(three!.fields).to.include('urgent');
  });
});

describe('The table of filters', () => {
  const facts = {
    me: 'm',
    today: '2026-01-02',
    assignmentOf: (id: string) => `${id}:1`,
    ended: new Set<string>(),
    templates: { boards: new Set<string>(), tasks: new Set<string>() },
    indexes: new Map<string, string>(),
    named: new Map(),
    blocked: new Set<string>(),
  };
  const given: TaskFilters = {
    num: [1],
    boardId: ['b'],
    statusId: ['s'],
    assigneeId: ['me', 'none'],
    tagId: ['none'],
    createdById: ['me'],
    priority: [0],
    complete: true,
    externalId: ['x'],
    startFrom: '2026-01-01',
    startTo: '2026-01-01',
    endFrom: '2026-01-01',
    endTo: '2026-01-01',
    overdue: true,
    updatedSince: '2026-01-01T01:00:00+01:00',
    q: 'text',
    metadata: { sprint: ['12'] },
    noMetadata: ['sprint'],
    template: true,
    parentTaskId: ['t'],
    blocked: true,
    linkedTo: ['t'],
  };

  it('makes one condition of each, and its negation of the one that excludes', () => {
    for (const [name, value] of Object.entries(given)) {
      const [condition, ...more] = filtersOf({ [name]: value }, facts);
      expect(more).to.deep.equal([]);
      const excluding = `exclude${name[0]!.toUpperCase()}${name.slice(1)}`;
      const [negated] = filtersOf({ [excluding]: value }, facts);
      if (FILTERS[name as keyof typeof FILTERS].excludes) expect(negated).to.deep.equal({ ...condition, not: true });
      else expect(negated).to.equal(undefined);
    }
    expect(Object.keys(given)).to.have.members(Object.keys(FILTERS));
  });

  it('puts the caller, members and times in place', () => {
    expect(filtersOf({ assigneeId: ['me', 'none'] }, facts)).to.deep.equal([
      { field: 'assignees', in: ['m:1', null], ended: facts.ended },
    ]);
    expect(filtersOf({ updatedSince: '2026-01-01T01:00:00+01:00' }, facts)).to.deep.equal([
      { field: 'updatedAt', from: '2026-01-01T00:00:00.000Z' },
    ]);
    expect(filtersOf({ excludeOverdue: false }, facts)).to.deep.equal([{ overdueOn: '2026-01-02', not: false }]);
  });
});
