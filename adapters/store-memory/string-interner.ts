import type { Task } from '../../core/model/task.ts';

/** The most strings, and lists of strings, that are kept. A full table is emptied, which costs only memory. */
const CAPACITY = 100_000;

const NONE: readonly string[] = Object.freeze([]);

/** Interns equal ids, dates and lists of ids, so that a million tasks share them. */
export class Interner {
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();

  /**
   * The same task, frozen, with interned values. Built field by field: V8 gives each spread and frozen object a
   * hidden class of its own, which is larger than the object.
   */
  task(task: Task): Task {
    const interned: Task = {
      id: task.id,
      workspaceId: this.#of(task.workspaceId),
      num: task.num,
      title: task.title,
      description: task.description,
      boardId: this.#of(task.boardId),
      statusId: this.#of(task.statusId),
      statusOrderKey: task.statusOrderKey,
      priority: task.priority,
      complete: task.complete,
      createdById: this.#of(task.createdById),
      dateStart: task.dateStart === null ? null : this.#of(task.dateStart),
      dateEnd: task.dateEnd === null ? null : this.#of(task.dateEnd),
      externalId: task.externalId,
      tags: this.#all(task.tags),
      assignees: this.#all(task.assignees),
      commentCount: task.commentCount,
      createdAt: task.createdAt,
      updatedAt: task.updatedAt === task.createdAt ? task.createdAt : task.updatedAt,
      version: task.version,
    };
    if (task.boardEdits !== undefined) Object.assign(interned, { boardEdits: Object.freeze(task.boardEdits) });
    return Object.freeze(interned);
  }

  #all(texts: readonly string[]): readonly string[] {
    if (texts.length === 0) return NONE;
    // Ids contain no comma; other lists are compared by their items.
    const name = texts.join();
    const known = this.#lists.get(name);
    if (known !== undefined && known.every((text, i) => text === texts[i])) return known;
    const list = Object.freeze(texts.map((text) => this.#of(text)));
    return kept(this.#lists, name, list);
  }

  #of(text: string): string {
    return this.#texts.get(text) ?? kept(this.#texts, text, text);
  }
}

function kept<T>(values: Map<string, T>, name: string, value: T): T {
  if (values.size >= CAPACITY) values.clear();
  values.set(name, value);
  return value;
}
