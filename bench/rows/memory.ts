import type { Part } from '../part.ts';
import { judged } from '../row.ts';
import { startedLimit, startedService } from '../service.ts';
import { SMALL } from '../world/shape.ts';
import { answerTo, createTask, getTasks, listBoard } from './requests.ts';
import { rateRow, versus } from './versus.ts';

const CONNECTIONS = 64;
const FEWER = 16;

/** Requests to the service on the memory store. */
export const memoryPart: Part = {
  name: 'memory',
  async run(scale) {
    const product = await startedService('memory:', SMALL);
    try {
      const { url, token } = product;
      const gets = getTasks(SMALL, token);
      const bytes = await (await answerTo(url, gets[0]!)).text();
      const bare = await startedLimit({ kind: 'bytes', body: bytes });
      const [get, bareGet] = await versus({
        scale,
        connections: CONNECTIONS,
        product: { ...product, shots: gets },
        limit: { ...bare, shots: gets },
      });
      await bare.worker.end();

      const list = listBoard(SMALL, token);
      const answer = await (await answerTo(url, list)).text();
      const stringify = await startedLimit({ kind: 'stringify', body: answer });
      const [listed, bareList] = await versus({
        scale,
        connections: FEWER,
        product: { ...product, shots: [list] },
        limit: { ...stringify, shots: [list] },
      });
      await stringify.worker.end();

      const posts = createTask(SMALL, token);
      const parse = await startedLimit({ kind: 'post' });
      const [post, barePost] = await versus({
        scale,
        connections: CONNECTIONS,
        product: { ...product, shots: posts },
        limit: { ...parse, shots: posts },
      });
      await parse.worker.end();

      return [
        rateRow(
          {
            name: 'get-task-memory',
            work: 'GET one task, memory, 64 connections',
            against: 'bare h3 route, same bytes',
            target: { atLeast: 0.5 },
          },
          get,
          bareGet,
        ),
        judged({
          name: 'get-task-memory-p99',
          work: 'the same, p99',
          unit: 'ms',
          figure: get.p99,
          against: 'bare h3 route, same bytes',
          limit: bareGet.p99,
          target: { atMost: 2.5 },
        }),
        rateRow(
          {
            name: 'list-tasks-memory',
            work: 'GET 500 tasks of a board of 1,000, memory, 16 connections',
            against: 'JSON.stringify of the same array behind a bare route',
            target: { atLeast: 0.5 },
          },
          listed,
          bareList,
        ),
        rateRow(
          {
            name: 'post-task-memory',
            work: 'POST task, memory, 64 connections',
            against: 'bare h3 route that parses and validates the same body',
            target: { atLeast: 0.4 },
          },
          post,
          barePost,
        ),
      ];
    } finally {
      await product.worker.end();
    }
  },
};
