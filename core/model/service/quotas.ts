import { conflict, invalid, refusedFor, type EspalierError } from '../../kernel/errors.ts';

interface Quota {
  /** The kind of record that has the limit. */
  readonly of: string;
  /** What is counted, as words after a number. */
  readonly counted: string;
  /** The default limit of a service that listens beyond loopback. */
  readonly openDefault: number;
  /** The default limit in every other case, for what is expensive for everybody on the store. Absent: unlimited. */
  readonly everywhere?: number;
  /** The largest limit that can be set. Absent: any. */
  readonly largest?: number;
}

/** The largest limit of quotas that are counted by reading up to that many index entries. */
const COUNTED_BY_READING = 10_000;

/** Every quota: names, messages, defaults, schemas and commands follow from this table. */
export const QUOTAS = {
  /** How many memberships a user may have. */
  workspaces: { of: 'a user', counted: 'memberships', openDefault: 200, largest: COUNTED_BY_READING },
  /** How many tokens a user may have. */
  tokens: { of: 'a user', counted: 'tokens', openDefault: 100, largest: COUNTED_BY_READING },
  /** How many idempotency keys in 24 hours a user may have. */
  idempotencyKeys: { of: 'a user', counted: 'idempotency keys in 24 hours', openDefault: 20_000 },
  /** How many bytes of stored answers in 24 hours a user may have. */
  idempotencyBytes: { of: 'a user', counted: 'bytes of kept answers in 24 hours', openDefault: 33_554_432 },
  /** How many members a workspace may have. */
  members: { of: 'a workspace', counted: 'members', openDefault: 1_000 },
  /** How many pending invitations a workspace may have. */
  invitations: { of: 'a workspace', counted: 'pending invitations', openDefault: 200, largest: COUNTED_BY_READING },
  /** How many copies of a member in a workspace may be unfinished. */
  copies: { of: 'a member', counted: 'unfinished copies', openDefault: 10, everywhere: 10, largest: 100 },
  /** How many pages a workspace may have. */
  pages: { of: 'a workspace', counted: 'pages', openDefault: 20_000 },
  /** How deep pages of a workspace may be nested. */
  depth: { of: 'a workspace', counted: 'levels of nested pages', openDefault: 100, everywhere: 100 },
  /** How many access entries a workspace may have. */
  entries: { of: 'a workspace', counted: 'access entries', openDefault: 20_000 },
  /** How many boards a workspace may have. */
  boards: { of: 'a workspace', counted: 'boards', openDefault: 1_000 },
  /** How many tasks a workspace may have. */
  tasks: { of: 'a workspace', counted: 'tasks', openDefault: 100_000 },
  /** How many access entries a page may have. */
  pageEntries: { of: 'a page', counted: 'access entries', openDefault: 500, everywhere: 2_000 },
  /** How many statuses a board may have. */
  statuses: { of: 'a board', counted: 'statuses', openDefault: 100, everywhere: 500 },
  /** How many tags a board may have. */
  tags: { of: 'a board', counted: 'tags', openDefault: 500, everywhere: 2_000 },
  /** How many comments a task may have. */
  comments: { of: 'a task', counted: 'comments', openDefault: 1_000, everywhere: 2_000 },
  /** How many assignees a task may have. */
  assignees: { of: 'a task', counted: 'assignees', openDefault: 100, everywhere: 1_000 },
  /** How many tags a task may have. */
  taskTags: { of: 'a task', counted: 'tags', openDefault: 100, everywhere: 1_000 },
} as const satisfies Readonly<Record<string, Quota>>;

/** The name of a quota. */
export type QuotaName = keyof typeof QUOTAS;

/** The names of all quotas, in the order in which they are shown. */
export const QUOTA_NAMES = Object.keys(QUOTAS) as readonly QuotaName[];

/** Limits by name: whole numbers from 1. Absent: unlimited. */
export type Quotas = { readonly [Name in keyof typeof QUOTAS]?: number };

/** Quotas set for a store. Null: unlimited. Absent: never set. */
export type QuotaSettings = { readonly [Name in keyof typeof QUOTAS]?: number | null };

/** The default limits of every store. */
const EVERYWHERE: Quotas = Object.fromEntries(
  QUOTA_NAMES.flatMap((name) => {
    const { everywhere }: Quota = QUOTAS[name];
    return everywhere === undefined ? [] : [[name, everywhere]];
  }),
);

const NONE_SET = {};

interface LastQuotas {
  readonly stored: QuotaSettings;
  readonly own: Quotas;
  readonly inForce: Quotas;
}

/** The last result: every write asks, and settings seldom change. */
let last: LastQuotas = { stored: NONE_SET, own: NONE_SET, inForce: EVERYWHERE };

/** The limits in force: those set for the store, or else the defaults; the engine's own where they are smaller. */
export function quotasInForce(stored: QuotaSettings = NONE_SET, own: Quotas = NONE_SET): Quotas {
  if (last.stored !== stored || last.own !== own) last = { stored, own, inForce: smallest(stored, own) };
  return last.inForce;
}

function smallest(stored: QuotaSettings, own: Quotas): Quotas {
  const inForce: Partial<Record<QuotaName, number>> = {};
  for (const name of QUOTA_NAMES) {
    const set = stored[name] === undefined ? EVERYWHERE[name] : stored[name];
    const limit = Math.min(set ?? Infinity, own[name] ?? Infinity);
    if (limit !== Infinity) inForce[name] = limit;
  }
  return inForce;
}

/** @throws `invalid-input` for an unknown name, and for anything but a whole number within bounds */
export function requireQuotas(quotas: Quotas): void {
  for (const [name, limit] of Object.entries(quotas) as [string, unknown][]) {
    if (!isQuotaName(name)) throw invalid(`/quotas/${name}`, `must be one of ${QUOTA_NAMES.join(', ')}`);
    if (limit !== undefined && !isLimit(name, limit)) {
      throw invalid(`/quotas/${name}`, `must be a whole number from 1 to ${largestLimit(name)}`);
    }
  }
}

export function isQuotaName(name: string): name is QuotaName {
  return Object.hasOwn(QUOTAS, name);
}

export function isLimit(name: QuotaName, limit: unknown): limit is number {
  return Number.isSafeInteger(limit) && Number(limit) >= 1 && Number(limit) <= largestLimit(name);
}

export function largestLimit(name: QuotaName): number {
  const quota: Quota = QUOTAS[name];
  return quota.largest ?? Number.MAX_SAFE_INTEGER;
}

/**
 * A count that exceeds a quota already, because it is older than the quota, may stay or shrink, but not grow.
 *
 * @param recordId of the record whose content is counted
 * @throws `quota-exceeded`
 */
export function requireWithin(quotas: Quotas, name: QuotaName, before: number, after: number, recordId?: string): void {
  const limit = quotas[name];
  if (limit === undefined || after <= limit || after <= before) return;
  const error = quotaExceeded(name, limit);
  throw recordId === undefined ? error : refusedFor(recordId, error);
}

/** Names the limit, not the current count: some of the records may be hidden from the caller. */
export function quotaExceeded(name: QuotaName, limit: number): EspalierError {
  const { of, counted } = QUOTAS[name];
  const holder = of.replace('a ', 'A ');
  return conflict(
    'quota-exceeded',
    `${holder} may have ${limit} ${counted} here: remove some, or ask the operator of the service for more.`,
  );
}

/** The limits of a service that listens beyond loopback, for quotas that were never set. */
export const OPEN_DEFAULTS: QuotaSettings = Object.fromEntries(
  QUOTA_NAMES.map((name) => [name, QUOTAS[name].openDefault]),
);
