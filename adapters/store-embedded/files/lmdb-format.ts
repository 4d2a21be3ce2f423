import { readSync } from 'node:fs';

/** Offsets in LMDB's file format on 64-bit machines. All numbers are little-endian. */
const HEADER = 24;
/** The first bytes of data and of lock files (`MDB_MAGIC`). */
export const MAGIC = 0xbeefc0de;
const PAGE_SIZE_AT = 48;
const ROOTS_AT = [88, 136];
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_END = 160;
const NO_PAGE = 0xffffffffffffffffn;
const FLAGS_AT = 18;
const KEYS_END_AT = 20;
const BRANCH = 1;
const OVERFLOW = 4;
const LARGE = 1;

/** Consecutive pages. */
interface PageRun {
  readonly first: bigint;
  readonly count: bigint;
}

/** The newest of the file's two meta pages. */
export interface Meta {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
  readonly roots: readonly bigint[];
}

/** Null if the file does not start with LMDB's meta pages. */
export function readMeta(file: number): Meta | null {
  const first = metaAt(file, 0);
  if (first === null) return null;
  const second = metaAt(file, first.pageSize);
  if (second === null) return null;
  return second.transaction > first.transaction ? second : first;
}

/**
 * Whether every page in use is within the file. Free pages at the end may never have been written, so a valid file may
 * end before its last page; only then are the pages in use visited.
 */
export function isWhole(file: number, size: number, meta: Meta): boolean {
  const { pageSize } = meta;
  if ((meta.lastPage + 1n) * BigInt(pageSize) <= BigInt(size)) return true;
  const inFile = BigInt(Math.floor(size / pageSize));
  const waiting: PageRun[] = meta.roots.filter((root) => root !== NO_PAGE).map((first) => ({ first, count: 1n }));
  for (let run = waiting.pop(); run !== undefined; run = waiting.pop()) {
    if (run.first + run.count > inFile) return false;
    const page = Buffer.alloc(pageSize);
    readSync(file, page, 0, pageSize, Number(run.first) * pageSize);
    if (page.readBigUInt64LE(0) !== run.first) return false;
    if ((page.readUInt16LE(FLAGS_AT) & OVERFLOW) === 0) waiting.push(...runsBelow(page));
  }
  return true;
}

/** The pages that a page of a tree points to: those below a branch, those of large values at a leaf. */
function runsBelow(page: Buffer): PageRun[] {
  const isBranch = (page.readUInt16LE(FLAGS_AT) & BRANCH) !== 0;
  const found: PageRun[] = [];
  // Both offsets are counted from the end of the header.
  for (let at = HEADER; at < HEADER + page.readUInt16LE(KEYS_END_AT); at += 2) {
    const node = HEADER + page.readUInt16LE(at);
    const low = page.readUInt32LE(node);
    const flags = page.readUInt16LE(node + 4);
    if (isBranch) {
      found.push({ first: (BigInt(flags) << 32n) | BigInt(low), count: 1n });
    } else if ((flags & LARGE) !== 0) {
      const first = page.readBigUInt64LE(node + 8 + page.readUInt16LE(node + 6));
      found.push({ first, count: BigInt(Math.ceil((HEADER + low) / page.length)) });
    }
  }
  return found;
}

function metaAt(file: number, position: number): Meta | null {
  const bytes = Buffer.alloc(META_END);
  if (readSync(file, bytes, 0, META_END, position) < META_END || bytes.readUInt32LE(HEADER) !== MAGIC) return null;
  const pageSize = bytes.readUInt32LE(PAGE_SIZE_AT);
  return {
    pageSize,
    lastPage: bytes.readBigUInt64LE(LAST_PAGE_AT),
    transaction: bytes.readBigUInt64LE(TRANSACTION_AT),
    roots: ROOTS_AT.map((at) => bytes.readBigUInt64LE(at)),
  };
}
