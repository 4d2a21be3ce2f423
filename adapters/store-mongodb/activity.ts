import type { ActivityRepository } from '../../core/ports/store.ts';
import type { WriteAccess } from './access.ts';

export class MongodbActivity implements ActivityRepository {
  readonly #access: WriteAccess;

  constructor(access: WriteAccess) {
    this.#access = access;
  }

  async touch(subject: string, at: string): Promise<void> {
    const write = { updateOne: { filter: { _id: { $eq: subject } }, update: { $max: { at } }, upsert: true } };
    await this.#access.other('activity', write);
  }

  async of(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (subjects.length === 0) return new Map();
    const docs = await this.#access.ask({ from: 'activity', filter: { _id: { $in: [...subjects] } } });
    return new Map(docs.map((doc) => [doc._id, doc['at'] as string]));
  }
}
