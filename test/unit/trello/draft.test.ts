import { expect } from 'chai';
import { trelloDraft, type TrelloDraft, type TrelloImport } from '../../../adapters/formats/trello/index.ts';
import { board, type BoardJson } from './fixture.ts';

const ADA = '018f0000-0000-7000-8000-000000000001';
const PLACE = { workspaceId: 'w', memberId: 'm' };

function draft(options: Partial<TrelloImport> = {}, change?: (json: BoardJson) => void): TrelloDraft {
  return trelloDraft(board(change), { ...PLACE, members: new Map([['ADA', ADA]]), ...options });
}

function task(title: string, from: TrelloDraft = draft()) {
  const found = from.input.tasks.find((one) => one.title === title);
  if (found === undefined) throw new Error(`no task ${title}`);
  return found;
}

function why(what: string, from: TrelloDraft = draft()): readonly string[] {
  return from.notes.filter((note) => note.what === what).map((note) => `${note.count} ${note.why}`);
}

describe('A Trello board as an import', () => {
  it('keeps name, description and id of the board', () => {
    expect(draft().input).to.include({
      externalId: '64a1f0c2e4b0a1b2c3d40000',
      name: 'Release train',
      description: 'How we **ship**.',
    });
  });

  it('makes statuses of the lists in their order, and tells two of one name apart', () => {
    expect(draft().input.statuses).to.deep.equal([
      { name: 'Todo' },
      { name: 'Doing' },
      { name: 'Done' },
      { name: 'Todo (2)' },
    ]);
    expect(why('list name')).to.have.length(1);
    expect(why('list limit')).to.deep.equal(['1 no counterpart: left out']);
  });

  it('makes tags of the labels, with CSS colours', () => {
    expect(draft().input.tags).to.deep.equal([
      { name: 'Bug', color: 'red' },
      { name: 'sky', color: 'skyblue' },
      { name: 'bug (green dark)', color: 'darkgreen' },
      { name: 'Docs', color: 'palegreen' },
      { name: 'Odd', color: 'gray' },
      { name: 'purple dark', color: 'indigo' },
      { name: 'Plain', color: 'gray' },
    ]);
    expect(why('label colour')).to.have.length(1);
    expect(why('label name')).to.have.length(1);
  });

  it('makes tasks of the cards in their order', () => {
    const todo = draft().input.tasks.filter((one) => one.status === 'Todo');
    expect(todo.map((one) => one.title)).to.deep.equal(['First in Todo', 'Second in Todo']);
    expect(draft().input.tasks.map((one) => one.status)).to.deep.equal([
      'Todo',
      'Todo',
      'Doing',
      'Doing',
      'Doing',
      'Done',
      'Todo (2)',
    ]);
    expect(task('Second in Todo')).to.deep.include({
      tags: ['bug (green dark)', 'sky'],
      plannedStartDate: '2025-03-01',
      plannedEndDate: '2025-03-31',
      complete: true,
      createdAt: '2025-01-01T00:01:42.000Z',
    });
    expect(why('time of due date')).to.deep.equal(['1 only the day is kept, in UTC']);
    expect(task('Untitled card').status).to.equal('Todo (2)');
  });

  it('makes one checklist of those of a card, in their order, and says what they lose', () => {
    expect(task('Rich card')).to.deep.include({
      description: '',
      checklist: [
        { text: 'first step (due 2025-03-02, Bob \\*Star\\* Builder (bob\\_b))' },
        { text: 'second step', done: true },
      ],
    });
    expect(why('checklist')).to.include('1 without items: left out');
    expect(why('checklist name')).to.deep.equal(['1 no counterpart: left out']);
    expect(why('checklist assignee')).to.deep.equal(['1 not mapped: named in the text']);
  });

  it('names the list of each item where a card has several, and writes what is too much into the text', () => {
    const from = draft({}, (json) => {
      const lists = json['checklists'] as object[];
      const more = Array.from({ length: 101 }, (_, i) => ({ name: `step ${i}`, pos: i, idMember: null }));
      lists.push({ ...lists[0], id: 'more', name: 'More', pos: 1e9, checkItems: more });
    });
    const { checklist = [], description } = task('Rich card', from);
    expect(checklist).to.have.length(100);
    expect([checklist[1]?.text, checklist[2]?.text]).to.deep.equal(['Steps: second step', 'More: step 0']);
    expect(description).to.equal('- [ ] More: step 98\n- [ ] More: step 99\n- [ ] More: step 100');
    expect(why('checklist', from)).to.include('2 several are one: items name theirs');
    expect(why('checklist item', from)).to.deep.equal(['3 above the 100 that a task has: in the text']);
  });

  it('assigns items to who is mapped', () => {
    const from = draft({ members: new Map([['bob_b', ADA]]) });
    expect(task('Rich card', from).checklist?.[0]).to.deep.equal({
      text: 'first step (due 2025-03-02)',
      assigneeId: ADA,
    });
    const kept = draft({ members: new Map([['bob_b', ADA]]), assignable: new Set() });
    expect(task('Rich card', kept).checklist?.[0]).not.to.have.property('assigneeId');
    expect(why('checklist assignee', kept)).to.deep.equal(['1 no access to the board: named in the text']);
  });

  it('assigns who is mapped, and names the others in text and report', () => {
    expect(task('First in Todo')).to.deep.include({
      assignees: [ADA],
      description: 'Say **what** it is.\n\n**Assigned in Trello:** Bob \\*Star\\* Builder (bob\\_b)',
    });
    const note = draft().notes.find(({ what }) => what === 'assignee');
    expect(note).to.deep.include({ count: 1, where: ['Bob *Star* Builder (bob_b)'] });
  });

  it('names a mapped member without access to the board in the text', () => {
    const from = draft({ assignable: new Set() });
    expect(task('First in Todo', from).assignees).to.deep.equal([]);
    expect(task('First in Todo', from).description).to.include('Ada Lovelace (ada), Bob');
    expect(why('assignee', from)).to.include('1 no access to the board: named in the text');
  });

  it('brings comments with author and time, oldest first', () => {
    expect(task('Rich card').comments).to.deep.equal([
      {
        externalId: '67748d55e4b0a1b2c3d40605',
        content: 'First, by Ada.',
        createdAt: '2025-02-02T09:00:00.000Z',
        authorId: ADA,
        editedAt: '2025-02-02T09:30:00.000Z',
      },
      {
        externalId: '67748d57e4b0a1b2c3d40607',
        content: '**Bob \\*Star\\* Builder (bob\\_b):** From Bob.',
        createdAt: '2025-02-03T09:00:00.000Z',
      },
    ]);
    expect(why('comment')).to.have.members([
      '1 older than the history that was exported',
      '1 without text: left out',
      '1 its card is left out or not in the file',
    ]);
  });

  it('knows authors who have left the board', () => {
    expect(task('Shipped').comments![0]!.content).to.equal('**Grace Gone (gracegone):** Left the company.');
  });

  it('takes the creator of a card from the history', () => {
    expect(task('Rich card').createdById).to.equal(ADA);
    expect(task('First in Todo')).not.to.have.property('createdById');
  });

  it('leaves archived lists and cards out, and says so, unless they are asked for', () => {
    expect(draft().input.tasks).to.have.length(7);
    expect(why('list')).to.deep.equal(['1 archived: left out']);
    expect(why('card')).to.include.members(['1 archived: left out', '1 its list is archived: left out']);
    const all = draft({ includeArchived: true });
    expect(all.input.tasks).to.have.length(9);
    const archived = all.input.tasks.filter((one) => one.archived);
    expect(archived.map(({ title }) => title)).to.have.members(['Archived card', 'Card on an archived list']);
    expect(why('card', all)).to.include('1 archived: goes to the trash if it is new');
    expect(why('list', all)).to.deep.equal(['1 archived: its new cards go to the trash']);
    expect(all.input.statuses.at(-1)).to.deep.equal({ name: 'Old ideas' });
    expect(all.input.statuses.slice(0, 4)).to.deep.equal(draft().input.statuses);
  });

  it('reports what has no counterpart', () => {
    for (const what of [
      'attachment',
      'vote',
      'sticker',
      'custom field value',
      'custom field',
      'power-up data',
      'location',
    ]) {
      expect(why(what), what).to.deep.equal(['1 no counterpart: left out']);
    }
    expect(why('history entry')).to.deep.equal(['4 only comments are taken from the history']);
    expect(why('checklist')).to.have.length(2);
  });

  it('reports dates that are none, or stand the wrong way round', () => {
    expect(task('Bad dates')).to.deep.include({ plannedStartDate: null, plannedEndDate: null });
    expect(task('Backwards')).to.deep.include({ plannedStartDate: null, plannedEndDate: '2025-05-01' });
    expect(why('due date')).to.deep.equal(['1 not a date: left out']);
    expect(why('start date')).to.deep.equal(['1 not a date: left out', '1 after the due date: left out']);
  });

  it('cuts what is too long, by characters, and says so', () => {
    const from = draft({}, (json) => {
      json['name'] = 'n'.repeat(600);
      json.cards[0]!['name'] = '\u{1F332}'.repeat(600);
      json.cards[0]!['desc'] = `${'d'.repeat(60_000)}\uD800\0`;
      json.lists[0]!['name'] = 'l'.repeat(101);
      json.labels[0]!['name'] = 'b'.repeat(101);
      (json.actions[2]!['data'] as { text: string }).text = 'c'.repeat(20_001);
    });
    const [long] = from.input.tasks.filter((one) => one.externalId === board().cards[0]!.id);
    expect(Array.from(from.input.name)).to.have.length(500);
    expect(Array.from(long!.title)).to.have.length(500);
    expect(long!.title.isWellFormed()).to.equal(true);
    expect(long!.description).to.have.length(50_000);
    expect(from.input.statuses[1]!.name).to.have.length(100);
    expect(from.input.tags[0]!.name).to.have.length(100);
    const cut = from.notes.filter((note) => note.why.endsWith('cut')).map((note) => note.what);
    expect(cut).to.have.members(['board name', 'card name', 'description', 'list name', 'label name', 'comment']);
  });

  it('takes a card that is in the file twice once, and one without its list not at all', () => {
    const from = draft({}, (json) => {
      json.cards.push({ ...json.cards[0] });
      json.cards[1]!['idList'] = 'nowhere';
    });
    expect(from.input.tasks).to.have.length(6);
    expect(why('card', from)).to.include.members([
      '1 in the file twice: taken once',
      '1 its list is not in the file: left out',
    ]);
  });
});
