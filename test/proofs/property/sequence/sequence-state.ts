import type { Random } from '../../../contract/random.ts';

/** What a sequence has met so far; what was deleted stays in it, and is asked for again. */
export class SequenceState {
  readonly random: Random;
  readonly users: string[] = [];
  readonly workspaces: Place[] = [];
  #names = 0;

  constructor(random: Random) {
    this.random = random;
  }

  /** Never given twice, so that it betrays what it names. */
  name(): string {
    this.#names += 1;
    return `Name${String(this.#names).padStart(5, '0')}x`;
  }

  place(): Place {
    return this.random.pick(this.workspaces);
  }
}

/** A workspace and what it holds, or held. */
export interface Place {
  readonly workspaceId: string;
  readonly members: string[];
  readonly pages: string[];
  readonly boards: string[];
  readonly statuses: { readonly boardId: string; readonly id: string }[];
  readonly tags: { readonly boardId: string; readonly id: string }[];
  readonly tasks: string[];
  readonly items: { readonly taskId: string; readonly id: string }[];
  readonly comments: { readonly taskId: string; readonly id: string }[];
  /** What the trash was seen to hold. */
  readonly deleted: string[];
  readonly invitations: string[];
  readonly cursors: { readonly cursor: string; readonly sort: readonly string[] }[];
}

export function newPlace(workspaceId: string): Place {
  return {
    workspaceId,
    members: [],
    pages: [],
    boards: [],
    statuses: [],
    tags: [],
    tasks: [],
    items: [],
    comments: [],
    deleted: [],
    invitations: [],
    cursors: [],
  };
}

/** One call: by whom, what, and what to remember of the answer. */
export interface Step {
  /** Null: the operator. */
  readonly userId: string | null;
  readonly noun: string;
  readonly verb: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly ifVersion?: readonly number[];
  readonly learn?: (answer: never) => void;
}

export const MISSING = '00000000-0000-7000-8000-ffffffffffff';
