import { assert } from 'chai';
import type { IdempotencyRecord } from '../../../core/model/log/idempotency-record.ts';
import { emptyMongodbStore, mongodbUrl, rawDatabase } from '../../fixtures/mongodb/mongodb.ts';
import { serviceOn } from './service.ts';

describe('an answer that is stored for a key, on MongoDB', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('is not removed by the server before it expires', async () => {
    const { engine, store } = await serviceOn((options) => emptyMongodbStore('stored-answers', options));
    const call = { caller: { kind: 'operator' }, idempotencyKey: { key: 'k', digest: 'd' } } as const;
    await engine.users.create(call, { name: 'Ada', email: 'ada@example.org' });
    await store.close();
    const stored = await (await rawDatabase('stored-answers')).collection('idempotency').find().toArray();
    const expiries = stored.map(({ record }) => (JSON.parse(record as string) as IdempotencyRecord).expiresAt);
    assert.lengthOf(expiries, 1);
    assert.isAbove(Number(stored[0]?.['expiresAt']), Date.parse(expiries[0] ?? ''));
  });
});
