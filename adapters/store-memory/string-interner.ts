import type { Task } from '../../core/model/task.ts';

/** Texts, and lists of them, kept at most; then it begins anew, which costs memory and nothing else. */
const CAPACITY = 100_000;

const NONE: readonly string[] = Object.freeze([]);

/** Lets equal ids, dates and lists of ids in a million tasks be one. */
export class Interner {
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();

  /**
   * The same task, frozen, with what it shares with other tasks. Written out field by field: objects made by
   * spreading and then frozen would each have a description of their own fields, larger than themselves.
   */
  task(task: Task): Task {
    return Object.freeze<Task>({
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
    });
  }

  #all(texts: readonly string[]): readonly string[] {
    if (texts.length === 0) return NONE;
    // Ids hold no comma; lists that do are told apart by what is in them.
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
