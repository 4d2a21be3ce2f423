import { assert, expect } from 'chai';
import {
  type BulkWriteResult,
  type ClientSession,
  MongoBulkWriteError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb';
import type { EspalierError } from '../../../../core/kernel/errors.ts';
import {
  isRetryableRead,
  isTransient,
  isUnavailable,
  unwrapBulkWrite,
} from '../../../../adapters/store-mongodb/connection/errors.ts';
import { asStoreError, busy } from '../../../../adapters/store-mongodb/connection/store-errors.ts';
import { rejects } from '../../../fixtures/errors.ts';
import { commit } from '../../../../adapters/store-mongodb/connection/transactions.ts';

describe('errors of the driver', () => {
  const bulk = (cause: object) =>
    new MongoBulkWriteError(cause as ConstructorParameters<typeof MongoBulkWriteError>[0], {} as BulkWriteResult);

  it('of a connection that is lost in a bulk write are told as such', () => {
    const error = bulk(new MongoNetworkError('gone'));
    assert(!isUnavailable(error), 'the driver tells by itself');
    assert(isUnavailable(unwrapBulkWrite(error)) && isTransient(unwrapBulkWrite(error)));
  });

  it('of a connection that is lost without a label let a write run again, unless it may be committed', () => {
    const error = new MongoNetworkError('the pool was cleared');
    assert(isTransient(error));
    error.addErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult);
    assert(!isTransient(error));
  });

  it('of the system, which the driver hands on from a socket that the server has closed, are of a lost connection', () => {
    for (const code of ['EPIPE', 'ECONNRESET', 'ETIMEDOUT']) {
      const error = Object.assign(new Error('This socket has been ended by the other party'), { code });
      assert(isUnavailable(error) && isTransient(error) && isRetryableRead(error));
      expect((asStoreError(error) as { code?: unknown }).code).to.equal('store-unavailable');
    }
    const other = Object.assign(new Error('no such file'), { code: 'ENOENT' });
    assert(!isUnavailable(other) && !isTransient(other) && !isRetryableRead(other));
  });

  it('of the system have a commit asked for again: an earlier request may have been answered', async () => {
    const lost = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
    let asked = 0;
    const commitTransaction = async (): Promise<void> => {
      asked += 1;
      if (asked === 1) throw lost;
    };
    await commit({ commitTransaction } as Partial<ClientSession> as ClientSession);
    expect(asked).to.equal(2);
  });

  it('of a session that another process has ended let a write run again', () => {
    assert(isTransient(new MongoServerError({ message: 'interrupted', code: 11601 })));
    assert(!isTransient(new MongoServerError({ message: 'too large', code: 388 })));
  });

  it('that do not tell whether a commit has happened have it asked for again, each for itself', async () => {
    const late = new MongoServerError({ message: 'out of time', code: 50 });
    late.addErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult);
    const ended = new MongoServerError({ message: 'interrupted', code: 11601 });
    const unconfirmed = new MongoWriteConcernError({
      ok: 1,
      writeConcernError: { code: 100, errmsg: 'too few members' },
    });
    for (const error of [late, ended, unconfirmed]) {
      let asked = 0;
      const commitTransaction = async (): Promise<void> => {
        asked += 1;
        if (asked === 1) throw error;
      };
      await commit({ commitTransaction } as Partial<ClientSession> as ClientSession);
      expect(asked).to.equal(2);
    }
  });

  it('have a commit asked for again that a server does not know, unless a majority does not know it either', async () => {
    const unknown = new MongoServerError({ message: 'no such transaction', code: 251 });
    const confirmed = new MongoServerError({ message: 'no such transaction', code: 251 });
    confirmed.addErrorLabel(MongoErrorLabel.TransientTransactionError);
    const errors = [unknown, confirmed];
    const commitTransaction = async () => Promise.reject(errors.shift()!);
    const asked = commit({ commitTransaction } as Partial<ClientSession> as ClientSession);
    await rejects(asked, (error: unknown) => error === confirmed);
  });

  it('of a time that the URL sets for each command is that of a database out of reach', () => {
    const error = asStoreError(new MongoOperationTimeoutError('late')) as { code?: unknown };
    expect(error.code).to.equal('store-unavailable');
  });

  it('of a document in a bulk write stay as they are', () => {
    const error = bulk({ message: 'taken', code: 11000 });
    expect(unwrapBulkWrite(error)).to.equal(error);
    assert(!isTransient(unwrapBulkWrite(error)));
  });

  it('of a transaction that is too large for the server say what to change', () => {
    const error = asStoreError(bulk({ message: 'too large', code: 388 })) as { code?: unknown; detail?: unknown };
    expect(error.code).to.equal('store-unavailable');
    expect(String(error.detail)).to.match(/--wiredTigerCacheSizeGB/);
  });

  it('of a user without rights name the role that is missing, and nothing of the command', () => {
    const error = new MongoServerError({
      message: 'not authorized on espalier to execute command { find: 1 }',
      code: 13,
    });
    const told = asStoreError(error) as { code?: unknown; detail?: unknown };
    expect(told.code).to.equal('store-unavailable');
    expect(String(told.detail))
      .to.match(/readWrite/)
      .and.not.match(/find/);
  });

  it('of a read whose snapshot is gone, or which has met no primary, have it run again', () => {
    for (const code of [239, 246, 91, 10107]) assert(isRetryableRead(new MongoServerError({ message: 'gone', code })));
    assert(!isRetryableRead(new MongoServerError({ message: 'out of time', code: 50 })));
  });

  it('of a read whose snapshot is gone, as after an election, say that it may be tried again, and what sets how long', () => {
    for (const code of [239, 246]) {
      const error = asStoreError(new MongoServerError({ message: 'too old', code })) as EspalierError;
      expect(error.code).to.equal('store-busy');
      expect(error.detail).to.match(/minSnapshotHistoryWindowInSeconds/);
    }
  });

  it('of a write that the server has ended at last do not blame others, and say what it may have ended it for', () => {
    const ended = busy(new MongoServerError({ message: 'the transaction has been aborted', code: 251 }));
    expect(ended.code).to.equal('store-busy');
    expect(ended.detail)
      .to.match(/transactionLifetimeLimitSeconds/)
      .and.match(/election/);
  });
});
