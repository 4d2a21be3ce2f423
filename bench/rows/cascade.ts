import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { pause, send } from '../load/send.ts';
import { quantile } from '../figures.ts';
import { serviceOn, type StoreName } from '../stores.ts';
import { namesOf, type Shape } from '../world/shape.ts';
import { othersIn, trafficOn } from './traffic.ts';

const LONGEST = 50;
const BEFORE = 2_000;

/** Deleting a page with a great deal under it, while others work in the same workspace. */
export function cascadePart(store: StoreName): Part {
  return {
    name: `cascade-${store.toLowerCase()}`,
    async run(scale) {
      if (store === 'MongoDB' && scale.name === 'quick') return [];
      const { pages, tasks, seconds } = scale.cascade;
      const boards = Math.max(2, Math.round(pages / 10));
      const shape: Shape = {
        world: 3,
        tasks,
        boards,
        members: 50,
        folders: pages + 2 - boards,
        depth: 8,
        apart: true,
        entries: Math.round(pages / 5),
        assignees: 8,
        spread: 'even',
      };
      const worker = await serviceOn(store);
      if (worker === null) return [];
      try {
        const token = await worker.call('seed', shape);
        const url = await worker.call('listen');
        const names = namesOf(shape);
        const traffic = trafficOn(url, othersIn(shape, token));
        await pause(scale.name === 'smoke' ? 100 : BEFORE);
        const before = traffic.take();

        const page = `/api/workspace/${names.workspaceId}/page/${names.page(boards + 1)}`;
        await worker.call('startDelays');
        const began = performance.now();
        const { status: deleted } = await send(url, { method: 'DELETE', path: page, token });
        const commit = performance.now() - began;
        if (deleted !== 204) throw new Error(`The deletion was answered ${deleted}.`);
        const gone = `/api/workspace/${names.workspaceId}/task/${names.task(boards - 1)}`;
        const { status: unreachable } = await send(url, { method: 'GET', path: gone, token });
        if (unreachable !== 404) throw new Error(`A task of the deleted page is answered ${unreachable}.`);
        const watched = await Promise.race([worker.call('idle').then(() => true), pause(seconds * 1000)]);
        const all = performance.now() - began;
        const delays = await worker.call('takeDelays');
        const during = await traffic.end();
        return [
          judged({
            name: `cascade-${store.toLowerCase()}`,
            work: `longest wait of others while a page with ${pages} pages and ${tasks} tasks is deleted, ${store}`,
            unit: 'ms',
            figure: Math.max(...during),
            target: { atMost: LONGEST },
            beside: {
              'answer to the deletion, ms': commit,
              [watched === true ? 'until all is removed, ms' : 'not all of it removed after, ms']: all,
              'requests meanwhile': during.length,
              'their p99, ms': quantile(during, 0.99),
              'longest wait before it, ms': Math.max(...before),
              'longest delay of the event loop, ms': delays.longest,
            },
          }),
        ] satisfies Row[];
      } finally {
        await worker.end();
      }
    },
  };
}
