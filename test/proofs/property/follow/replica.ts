import { expect } from 'chai';
import type { ChangeEvent, PageView, Session, SnapshotItem, TaskView, WorkspaceView } from '../../../../core/index.ts';
import { type Sight, everything, taskIds, withBelow, orNull, comparable } from '../member-sight.ts';

/**
 * What a member holds of a workspace, brought up to date by events as the documentation tells a client. It reads records
 * as any caller does, and knows nothing else of the engine.
 */
export class Replica {
  #session: Session;
  readonly #at: { readonly workspaceId: string };
  readonly #holds: Sight;
  /** The pages as they stood before a `scope` of this answer. */
  #before = new Map<string, PageView>();
  /** Pages that events of this answer have put in place. */
  readonly #placed = new Set<string>();
  cursor: string;

  private constructor(session: Session, workspaceId: string, holds: Sight, cursor: string) {
    this.#session = session;
    this.#at = { workspaceId };
    this.#holds = holds;
    this.cursor = cursor;
  }

  /** Reads everything. */
  static async read(session: Session, workspaceId: string): Promise<Replica> {
    let cursor = '';
    const onCursor = (seen: string) => void (cursor = seen);
    await session.workspaces.get({ workspaceId }, { onCursor });
    const replica = new Replica(session, workspaceId, await everything(session, workspaceId), cursor);
    replica.#moveTo(cursor);
    return replica;
  }

  /** What the items of a snapshot make. */
  static fromSnapshot(session: Session, workspaceId: string, items: readonly SnapshotItem[]): Replica {
    const [members, pages, boards, tasks] = [new Map(), new Map(), new Map(), new Map()] as unknown as [
      Sight['members'],
      Sight['pages'],
      Sight['boards'],
      Sight['tasks'],
    ];
    let workspace: WorkspaceView | undefined;
    let cursor = '';
    for (const item of items) {
      if (item.kind === 'head') cursor = item.cursor;
      else if (item.kind === 'workspace') workspace = item.record;
      else if (item.kind === 'member') members.set(item.record.id, item.record);
      else if (item.kind === 'page') pages.set(item.record.id, item.record);
      else if (item.kind === 'board') boards.set(item.record.id, item.record);
      else if (item.kind === 'task') {
        const { commentCount: _, checklistTotal: __, checklistDone: ___, ...task } = item.record;
        tasks.set(task.id, { ...task, comments: [] });
      } else {
        const task = tasks.get(item.record.taskId)!;
        tasks.set(task.id, { ...task, comments: [...task.comments, item.record] });
      }
    }
    return new Replica(session, workspaceId, { workspace: workspace!, members, pages, boards, tasks }, cursor);
  }

  /** Follows all that is known, or so many answers. @returns the events, and whether there were no more */
  async follow(
    session: Session,
    limit: number,
    withRecords: boolean,
    answers = Infinity,
  ): Promise<{ readonly events: readonly ChangeEvent[]; readonly isAtEnd: boolean }> {
    this.#session = session;
    const all: ChangeEvent[] = [];
    for (let n = 0; n < answers; n += 1) {
      const include = withRecords ? (['record'] as const) : [];
      const answer = await this.#session.changes.list({ ...this.#at, since: this.cursor, limit, include });
      expectOnce(answer.items);
      for (const event of answer.items) {
        all.push(event);
        await this.#apply(event);
      }
      this.#moveTo(answer.cursor);
      if (answer.next === null) return { events: all, isAtEnd: true };
    }
    return { events: all, isAtEnd: false };
  }

  /** Follows all that is known as a stream gives it. @returns the events */
  async watch(session: Session, withRecords: boolean): Promise<readonly ChangeEvent[]> {
    this.#session = session;
    let now = '';
    await session.workspaces.get(this.#at, { onCursor: (cursor) => void (now = cursor) });
    const stop = new AbortController();
    const onCursor = (cursor: string) => {
      this.#moveTo(cursor);
      if (cursor === now) stop.abort();
    };
    const include = withRecords ? (['record'] as const) : [];
    const watched = { ...this.#at, since: this.cursor, include, signal: stop.signal };
    const all: ChangeEvent[] = [];
    for await (const event of session.changes.watch(watched, { onCursor })) {
      all.push(event);
      await this.#apply(event);
    }
    return all;
  }

  /** What was read of pages that are not held goes: it comes with them. */
  #moveTo(cursor: string): void {
    this.cursor = cursor;
    this.#before.clear();
    this.#placed.clear();
    const { pages, boards, tasks } = this.#holds;
    for (const id of boards.keys()) if (!pages.has(id)) boards.delete(id);
    for (const task of tasks.values()) if (!pages.has(task.pageId ?? task.boardId ?? '')) tasks.delete(task.id);
  }

  /** Without what is not promised, or changes by itself. */
  shown(): unknown {
    return comparable(this.#holds);
  }

  async #apply(event: ChangeEvent): Promise<void> {
    const { type, id } = event;
    if (type === 'scope') return this.#lookAnew();
    const [kind, verb] = type.split('.') as [string, string];
    const gone = verb === 'hide' || verb === 'delete';
    if (kind === 'workspace') this.#holds.workspace = await this.#session.workspaces.get(this.#at);
    else if (kind === 'member') await this.#member(id!, gone);
    else if (kind === 'page') await (gone ? this.#takePage(id!) : this.#page(event, verb));
    else if (kind === 'board') await this.#putBoard(id!);
    else if (kind === 'task') await (gone ? this.#takeTask(id!) : this.#putTask(id!));
    else await this.#comment(event, gone);
  }

  async #member(id: string, gone: boolean): Promise<void> {
    const { members, workspace } = this.#holds;
    const listed = await this.#session.members.list(this.#at);
    if (id === workspace.memberId) {
      this.#holds.workspace = await this.#session.workspaces.get(this.#at);
      members.clear();
      for (const member of listed) members.set(member.id, member);
    } else if (gone) members.delete(id);
    else for (const member of listed) if (member.id === id) members.set(id, member);
  }

  async #page({ id, fields }: ChangeEvent, verb: string): Promise<void> {
    const listed = await this.#session.pages.list(this.#at);
    const page = listed.find((each) => each.id === id);
    // One that is not held was taken away with a page above it.
    const isNew = verb === 'show' || (verb === 'update' && !this.#holds.pages.has(id!));
    if (page === undefined || isNew) this.#takePage(id!);
    if (verb === 'show') await this.#readFromBefore(id!, listed);
    if (page === undefined) return;
    const all = isNew || fields.includes('access') ? withBelow(page, listed) : [page];
    for (const each of all) if (each === page || isNew || this.#holds.pages.has(each.id)) this.#putPage(each);
    if (isNew) for (const each of all) await this.#readContent(each);
  }

  #putPage(page: PageView): void {
    this.#holds.pages.set(page.id, page);
    this.#placed.add(page.id);
  }

  /** What stood below a page was out of sight with it: what of that stands elsewhere now is read anew. */
  async #readFromBefore(id: string, listed: readonly PageView[]): Promise<void> {
    const below = withBelow({ id }, [...this.#before.values()]).filter((each) => !this.#placed.has(each.id));
    for (const each of below) this.#takePage(each.id);
    const taken = new Set(below.map((each) => each.id));
    for (const page of listed) {
      if (page.id === id || !taken.has(page.id)) continue;
      this.#holds.pages.set(page.id, page);
      await this.#readContent(page);
    }
  }

  async #readContent({ id, type, contentId }: PageView): Promise<void> {
    if (type === 'task' && contentId !== null) await this.#putTask(id);
    if (type !== 'board') return;
    await this.#putBoard(id);
    for (const taskId of await taskIds(this.#session, this.#at.workspaceId, { boardId: [id] }))
      await this.#putTask(taskId);
  }

  #takePage(id: string): void {
    const { pages, boards, tasks } = this.#holds;
    const taken = new Set(withBelow({ id }, [...pages.values()]).map((each) => each.id));
    for (const each of taken) {
      pages.delete(each);
      boards.delete(each);
      tasks.delete(each);
    }
    for (const task of tasks.values()) {
      if (taken.has(task.pageId ?? task.boardId ?? '')) tasks.delete(task.id);
      else if (task.boardId !== null && taken.has(task.boardId)) tasks.set(task.id, { ...task, ...WITHOUT_BOARD });
    }
  }

  /** Its page has the same id, and may have been read before the event. */
  #takeTask(id: string): void {
    this.#holds.tasks.delete(id);
    if (this.#holds.pages.has(id)) this.#takePage(id);
  }

  async #putBoard(boardId: string): Promise<void> {
    const board = await orNull(this.#session.boards.get({ ...this.#at, boardId }));
    if (board === null) this.#holds.boards.delete(boardId);
    else this.#holds.boards.set(boardId, board);
  }

  async #putTask(taskId: string): Promise<void> {
    const task = await orNull(this.#session.tasks.get({ ...this.#at, taskId }));
    if (task === null) this.#holds.tasks.delete(taskId);
    else this.#holds.tasks.set(taskId, task);
  }

  async #comment({ id, taskId, record }: ChangeEvent, gone: boolean): Promise<void> {
    const task = this.#holds.tasks.get(taskId!);
    if (task === undefined) return;
    if (!gone && record === undefined) return this.#putTask(taskId!);
    const others = task.comments.filter((comment) => comment.id !== id);
    const comments = gone ? others : [...others, record as TaskView['comments'][number]];
    const sorted = comments.toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1));
    this.#holds.tasks.set(taskId!, { ...task, comments: sorted });
  }

  async #lookAnew(): Promise<void> {
    const { pages, boards, tasks } = this.#holds;
    const known = new Set(pages.keys());
    const listed = await this.#session.pages.list(this.#at);
    const seen = new Set(listed.map(({ id }) => id));
    this.#before = new Map(pages);
    pages.clear();
    for (const page of listed) pages.set(page.id, page);
    for (const id of boards.keys()) if (!seen.has(id)) boards.delete(id);
    for (const task of tasks.values()) {
      if (!seen.has(task.pageId ?? task.boardId ?? '')) tasks.delete(task.id);
      else if (task.boardId !== null && !seen.has(task.boardId)) {
        tasks.set(task.id, { ...task, ...WITHOUT_BOARD });
      }
    }
    for (const page of listed) if (!known.has(page.id)) await this.#readContent(page);
  }
}

/** What is shown of the board of a task where that is hidden. */
const WITHOUT_BOARD = { boardId: null, statusId: null, statusOrderKey: null, tags: [], boardHidden: true } as const;

/** A record comes once in an answer; one and its page are different records. */
function expectOnce(events: readonly ChangeEvent[]): void {
  const named = events.map(({ type, id }) => `${type.split('.')[0]} ${id}`);
  expect(new Set(named).size, JSON.stringify(events)).to.equal(named.length);
}
