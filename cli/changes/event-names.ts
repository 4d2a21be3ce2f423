import type { ChangeEvent } from '../../core/model/log/change-event.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { TaskTitles, type Title } from './task-titles.ts';

interface Name {
  readonly id: string;
  /**
   * Null: the record is gone, or no longer visible. The event by which it disappears may still have its former name.
   */
  readonly name: string | null;
}

/** An event for scripts. */
export interface NamedEvent extends ChangeEvent {
  readonly expanded: {
    readonly board: Name | null;
    readonly page: Name | null;
    /** The task of a comment; its number and title are null if it is gone. */
    readonly task: { readonly id: string; readonly num: number | null; readonly title: string | null } | null;
    readonly by: Name | null;
  };
}

/** The types of events with which a record with a name becomes visible, and those with which it is hidden. */
const APPEARS = /^(page|member)[.](show|create)$/;
const DISAPPEARS = /^(page|member)[.](hide|delete)$/;

/** Names of pages, members and the tasks of comments, for events that have ids only. */
export class EventNames {
  readonly #workspace: WorkspaceLookup;
  readonly #names: Map<string, string>;
  readonly #tasks: TaskTitles;
  /**
   * Whether some names are of records that are hidden by now: they, and what is below them, may become visible again
   * with other names.
   */
  #mayBeStale = false;

  private constructor(workspace: WorkspaceLookup, names: Map<string, string>) {
    this.#workspace = workspace;
    this.#names = names;
    this.#tasks = new TaskTitles(workspace);
  }

  static async of(workspace: WorkspaceLookup): Promise<EventNames> {
    return new EventNames(workspace, await namesIn(workspace));
  }

  /** Remembers the name in the record of an event, and reads names that are not known yet. */
  async learn(event: ChangeEvent): Promise<void> {
    await this.#tasks.learn(event);
    const { type, id, record, fields, boardId, pageId, byId } = event;
    if (type === 'scope' || (this.#mayBeStale && APPEARS.test(type))) {
      this.#names.clear();
      this.#mayBeStale = false;
    }
    if (DISAPPEARS.test(type)) this.#mayBeStale = true;
    if (id !== null && record !== undefined && 'name' in record) this.#names.set(id, String(record.name));
    else if (id !== null && fields.includes('name')) this.#names.delete(id);
    const ids = [boardId, pageId, byId].filter((each) => each !== null);
    if (ids.every((each) => this.#names.has(each))) return;
    for (const [each, name] of await namesIn(this.#workspace)) this.#names.set(each, name);
    // Ids without a name are noted, so that they are not asked for again.
    for (const each of ids) if (!this.#names.has(each)) this.#names.set(each, '');
  }

  /** The name of a record; empty if it has none. */
  of(id: string | null): string {
    return id === null ? '' : (this.#names.get(id) ?? '');
  }

  /** The event with the names of the board, page, task and member in it. */
  expanded(event: ChangeEvent): NamedEvent {
    const { boardId, pageId, taskId, byId } = event;
    const task = taskId === null ? null : { id: taskId, ...this.#tasks.of(taskId) };
    const named = (id: string | null) => (id === null ? null : { id, name: this.of(id) || null });
    return { ...event, expanded: { board: named(boardId), page: named(pageId), task, by: named(byId) } };
  }

  /** The number and title of a task or of the task of a comment, else the name of the record. */
  record({ id, taskId, record = {} }: ChangeEvent): string {
    const called: Partial<Title> = taskId === null ? record : this.#tasks.of(taskId);
    const { num = null, title = null } = called;
    return num === null || title === null ? this.of(id) : `#${num} ${title}`;
  }

  /** The name of the board or page of the record; empty for a board itself. */
  place({ id, boardId, pageId }: ChangeEvent): string {
    return boardId === id || (boardId === null && pageId === id) ? '' : this.of(boardId ?? pageId);
  }
}

async function namesIn({ session, workspaceId }: WorkspaceLookup): Promise<Map<string, string>> {
  const pages = await session.pages.list({ workspaceId });
  const members = await session.members.list({ workspaceId, former: true });
  return new Map([...pages, ...members].map(({ id, name }) => [id, name]));
}
