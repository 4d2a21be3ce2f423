import type { CommandStartedEvent } from 'mongodb';
import type { MongodbStoreOptions } from '../../../../adapters/store-mongodb/index.ts';
import { emptyMongodbStore } from '../../../fixtures/mongodb/mongodb.ts';
import { type Service, serviceOn } from '../service.ts';

export interface Watched extends Service {
  /** What was sent since the last call, without what goes on in the background. */
  sent(): readonly CommandStartedEvent[];
}

const BACKGROUND = new Set(['hello', 'ismaster', 'ping', 'endSessions', 'createIndexes', 'create', 'listCollections']);

/** A service on an empty database, with the commands it sends. */
export async function watchedService(name: string, given: Partial<MongodbStoreOptions> = {}): Promise<Watched> {
  let events: CommandStartedEvent[] = [];
  const service = await serviceOn((options) =>
    emptyMongodbStore(name, {
      ...options,
      ...given,
      observe(client) {
        options.observe?.(client);
        client.on('commandStarted', (event) => {
          if (!BACKGROUND.has(event.commandName)) events.push(event);
        });
      },
    }),
  );
  return {
    ...service,
    sent() {
      const all = events;
      events = [];
      return all;
    },
  };
}
