import type { Part } from '../part.ts';
import { judged } from '../row.ts';
import { startup } from '../startup.ts';

/** How long commands take to start. */
export const commandsPart: Part = {
  name: 'commands',
  async run(scale) {
    const found = await startup({ rounds: scale.commands, tasks: scale.startTasks });
    return found.map(({ work, figure, limit, reach }, i) =>
      judged({
        name: `command-${i}`,
        work,
        unit: 'ms',
        figure,
        against: 'a bare start of Node',
        limit,
        reach: { atMost: reach },
      }),
    );
  },
};
