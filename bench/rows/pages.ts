import type { Part } from '../part.ts';
import { startedLimit, startedService } from '../service.ts';
import { treeShape } from '../world/tree-shape.ts';
import { answerTo, listPages } from './requests.ts';
import { rateRow, versus } from './versus.ts';

const CONNECTIONS = 4;

/** The list of a big tree over HTTP. */
export const pagesPart: Part = {
  name: 'pages',
  async run(scale) {
    const shape = treeShape(scale.pages, 0);
    const product = await startedService('memory:', shape);
    const shots = [listPages(shape, product.token)];
    const body = await (await answerTo(product.url, shots[0]!)).text();
    const limit = await startedLimit({ kind: 'stringify', body });
    try {
      const pages = (JSON.parse(body) as unknown[]).length;
      if (pages !== scale.pages) throw new Error(`The caller sees ${pages} pages of ${scale.pages}.`);
      const [figure, bare] = await versus({
        scale,
        connections: CONNECTIONS,
        product: { ...product, shots },
        limit: { ...limit, shots },
      });
      const row = {
        name: 'list-pages-memory',
        work: `GET ${pages} pages with access, memory, ${CONNECTIONS} connections`,
        against: 'JSON.stringify of the same list behind a bare route',
        target: { atLeast: 0.4 },
      };
      return [rateRow(row, figure, bare)];
    } finally {
      await product.worker.end();
      await limit.worker.end();
    }
  },
};
