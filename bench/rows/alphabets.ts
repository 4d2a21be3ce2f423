import type { Part } from '../part.ts';
import { judged } from '../row.ts';
import { scratch, startedService, type Listening } from '../service.ts';
import { SMALL, type Shape } from '../world/shape.ts';
import { listBoard } from './requests.ts';
import { underLoad } from './versus.ts';

const CONNECTIONS = 4;
/** More than the embedded store keeps decoded. */
const BOARDS = 24;
const ENGLISH: Shape = { ...SMALL, boards: BOARDS, tasks: BOARDS * 500 };
const OTHERS = ['German', 'Russian', 'Japanese'] as const;

/** CPU of the process for lists of tasks with texts in other alphabets, beside as many characters of English. */
export const alphabetsPart: Part = {
  name: 'alphabets',
  async run(scale) {
    const shapes = [ENGLISH, ...OTHERS.map((alphabet): Shape => ({ ...ENGLISH, alphabet }))];
    const services: Listening[] = [];
    try {
      for (const shape of shapes) services.push(await startedService(`file:${scratch(`${shape.alphabet}.db`)}`, shape));
      const servers = services.map((service) => ({
        ...service,
        shots: Array.from({ length: BOARDS }, (_, n) => listBoard(ENGLISH, service.token, n)),
      }));
      const [english, ...others] = await underLoad(scale, CONNECTIONS, servers);
      return OTHERS.map((alphabet, i) =>
        judged({
          name: `list-tasks-${alphabet.toLowerCase()}`,
          work: `GET 500 tasks with texts in ${alphabet}, embedded: CPU`,
          unit: 'us',
          figure: others[i]!.cpu,
          against: 'as many characters in English',
          limit: english!.cpu,
          target: { atMost: 1.3 },
        }),
      );
    } finally {
      for (const { worker } of services) await worker.end();
    }
  },
};
