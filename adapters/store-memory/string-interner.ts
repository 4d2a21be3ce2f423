import { isExtra, type RecordField } from '../../core/model/content/record-field.ts';
import { TASK_FIELDS, type Task } from '../../core/model/content/task.ts';
import { compile, literal } from '../store-kv/engine/compile.ts';

/** The most interned strings, and lists of strings. A full table is cleared, which costs only memory. */
const CAPACITY = 100_000;

const NONE: readonly string[] = Object.freeze([]);

type Intern = (
  task: Task,
  text: (text: string) => string,
  list: (texts: readonly string[]) => readonly string[],
) => Task;

/** Copies a task with interned ids, dates and lists; without its optional parts. */
const INTERNED: Intern = compile(['task', 'text', 'list'], literal(Object.entries(TASK_FIELDS).flatMap(interned)));

const EXTRAS = (Object.keys(TASK_FIELDS) as (keyof Task)[]).filter((field) => isExtra(TASK_FIELDS[field]));

function interned([field, row]: [string, RecordField]): [string, string][] {
  const { kind } = row;
  const value = `task.${field}`;
  if (kind === 'part' || isExtra(row)) return [];
  if (kind === 'ids') return [[field, `list(${value})`]];
  // Its own id is unique, so there is nothing to share.
  const shared = (kind === 'id' && field !== 'id') || kind === 'date';
  if (shared) return [[field, row.nullable === true ? `${value} === null ? null : text(${value})` : `text(${value})`]];
  const like = row.like === undefined ? null : `task.${row.like}`;
  return [[field, like === null ? value : `${value} === ${like} ? ${like} : ${value}`]];
}

/** Interns ids, dates and lists of ids, so that a million tasks share equal ones. */
export class Interner {
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();

  /**
   * A frozen copy of a task with interned values. Created by a literal: V8 gives each object that is spread and frozen
   * its own hidden class, which is larger than the object.
   */
  task(task: Task): Task {
    const interned = INTERNED(task, this.#text, this.#list);
    if (task.boardEdits !== undefined) Object.assign(interned, { boardEdits: Object.freeze(task.boardEdits) });
    for (const field of EXTRAS)
      if (task[field] !== undefined) Object.assign(interned, { [field]: Object.freeze(task[field]) });
    return Object.freeze(interned);
  }

  readonly #list = (texts: readonly string[]): readonly string[] => {
    if (texts.length === 0) return NONE;
    // Ids contain no comma; other lists are compared by their items.
    const name = texts.join();
    const known = this.#lists.get(name);
    if (known !== undefined && known.every((text, i) => text === texts[i])) return known;
    const list = Object.freeze(texts.map(this.#text));
    return remember(this.#lists, name, list);
  };

  readonly #text = (text: string): string => this.#texts.get(text) ?? remember(this.#texts, text, text);
}

function remember<T>(values: Map<string, T>, name: string, value: T): T {
  if (values.size >= CAPACITY) values.clear();
  values.set(name, value);
  return value;
}
