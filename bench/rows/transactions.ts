import { createEspalier } from '../../adapters/service/index.ts';
import { mongodbStore } from '../../adapters/store-mongodb/index.ts';
import { eachOf } from '../../test/fixtures/each-of.ts';
import { GROWING, type GrowingRequest, largeWorkspace } from '../../test/fixtures/world/growing-requests.ts';
import { WrittenDocuments } from '../../test/fixtures/mongodb/written-documents.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { freshPlace } from '../stores.ts';

/** A chunk of an import with what is noted of it; a step of a job is smaller. */
const MOST = 520;

/** How many documents one transaction on MongoDB writes at most, for requests that concern very much. */
export const transactionsPart: Part = {
  name: 'transactions',
  async run({ growing }) {
    const place = await freshPlace('MongoDB');
    if (place === null) return [];
    let written: WrittenDocuments | null = null;
    const store = mongodbStore({
      url: place.url,
      dbName: place.dbName!,
      client: { monitorCommands: true },
      observe: (client) => (written = new WrittenDocuments(client)),
    });
    const espalier = createEspalier({ store });
    try {
      await store.ready();
      const { large, records } = largeWorkspace(growing);
      const owner = () => espalier.as(large.owner);
      const requests = Object.entries(GROWING).map(([name, request]) => [name, () => request(owner(), large)] as const);
      const imported = () => espalier.operator.imports.workspace({ records: eachOf(records) });
      const rows: Row[] = [];
      for (const [name, request] of [['import', imported] as const, ...requests]) {
        written!.take();
        const began = performance.now();
        await request();
        const answered = performance.now() - began;
        await espalier.idle();
        const { most, transactions } = written!.take();
        rows.push(
          judged({
            name: `transactions-${name}`,
            work: `most documents in one transaction, ${WORK[name as GrowingRequest | 'import']}, ${growing} records, MongoDB`,
            unit: 'documents',
            figure: most,
            target: { atMost: MOST },
            beside: { transactions, 'answered after, ms': answered, 'all done after, ms': performance.now() - began },
          }),
        );
      }
      return rows;
    } finally {
      await espalier.close();
    }
  },
};

const WORK: Readonly<Record<GrowingRequest | 'import', string>> = {
  import: 'importing a workspace',
  crowded: 'a task where a column has no room',
  tag: 'deleting a tag',
  status: 'deleting a status with moveTo',
  member: 'a member leaving',
  board: 'deleting a board whose tasks have pages elsewhere',
  page: 'deleting a page',
  workspace: 'deleting a workspace',
};
