import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync, writeSync } from 'node:fs';
import { MAGIC } from './lmdb-format.ts';

/** Where lmdb.h puts the id of the last transaction into the lock file (`mtb_txnid`), in bytes. */
const POSITION = 8;
const SIZE = 8;
/** The most attempts of a process that opens a store: each commit of another process in the meantime takes one more. */
const MAX_ATTEMPTS = 1_000;

/** What lmdb reports of its transactions. */
export interface Transactions {
  /** Within a write transaction: its id. */
  getWriteTxnId(): number;
}

/** The functions that `getStats` calls too, besides counting free pages. They are not in the types of lmdb. */
export interface EnvironmentInfo {
  readonly env: { info(): { readonly lastTxnId: number } };
}

/**
 * The id of the last transaction in the lock file, on which the next one of any process builds. A process that opens
 * the store reads the id from the data file and writes it into the lock file, without a lock: if another process commits
 * in between, the lock file names an older transaction, and the next one would replace what was committed since
 * (ITS#9496, fixed in LMDB 0.9.29, not in lmdb 3.5).
 */
export class LastTransaction {
  readonly #file: number;
  /** Whether this object has opened the descriptor itself. */
  readonly #isOwn: boolean;

  /**
   * To be called right after lmdb has opened the store. Closing any descriptor of the lock file releases lmdb's own
   * locks on it (fcntl(2)), also those of another store on the file in this process, in another thread too. So lmdb's
   * descriptor is used. Another one is opened only if that is not found, as on Windows, where locks belong to
   * descriptors.
   *
   * @param lock path of the lock file
   * @param mode permissions of a new file
   */
  constructor(lock: string, mode: number) {
    const known = descriptorOf(lock);
    this.#isOwn = known === null;
    this.#file = known ?? openSync(lock, constants.O_RDWR | constants.O_CREAT, mode);
  }

  /** Corrects the lock file if opening the store set it back. */
  correct(db: Transactions): void {
    for (let i = 0; i < MAX_ATTEMPTS; i += 1) {
      const last = lastCommitOf(db);
      const named = this.#read();
      if (named === null || named >= last) return;
      this.#replace(named, last);
    }
  }

  /**
   * Whether a write transaction builds on an older transaction than the last one. Called in it before its first write.
   * If so, the lock file is corrected, and the transaction must end without a write.
   *
   * @throws if the lock file cannot be corrected
   */
  wasSetBack(db: Transactions): boolean {
    const basis = db.getWriteTxnId() - 1;
    const last = lastCommitOf(db);
    if (basis >= last) return false;
    if (!this.#replace(basis, last)) throw new Error(`The lock file does not name transaction ${basis}.`);
    return true;
  }

  /** To be called after lmdb has closed the store. */
  close(): void {
    if (this.#isOwn) closeSync(this.#file);
  }

  /** Null if it is not a lock file as lmdb writes it. */
  #read(): number | null {
    const bytes = Buffer.alloc(POSITION + SIZE);
    if (readSync(this.#file, bytes, 0, bytes.length, 0) < bytes.length) return null;
    return bytes.readUInt32LE(0) === MAGIC ? Number(bytes.readBigUInt64LE(POSITION)) : null;
  }

  /** Replaces the id in the lock file. If it is not `from`, nothing is done, and the result is false. */
  #replace(from: number, to: number): boolean {
    if (this.#read() !== from) return false;
    const bytes = Buffer.alloc(SIZE);
    bytes.writeBigUInt64LE(BigInt(to));
    writeSync(this.#file, bytes, 0, SIZE, POSITION);
    return true;
  }
}

/** The id of the last transaction in the meta pages of the data file. */
function lastCommitOf(db: Transactions): number {
  return (db as Transactions & EnvironmentInfo).env.info().lastTxnId;
}

/** An open descriptor of a file in this process. Null: there is none, or the system does not list descriptors. */
function descriptorOf(path: string): number | null {
  const wanted = statSync(path, { bigint: true, throwIfNoEntry: false });
  const found = openDescriptors().find((descriptor) => {
    try {
      const { dev, ino } = fstatSync(descriptor, { bigint: true });
      return dev === wanted?.dev && ino === wanted.ino;
    } catch {
      // The descriptor of the listing itself, which is closed by now.
      return false;
    }
  });
  return found ?? null;
}

function openDescriptors(): readonly number[] {
  try {
    return readdirSync('/dev/fd').map(Number);
  } catch {
    return [];
  }
}
