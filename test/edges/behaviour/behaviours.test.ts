import { expect } from 'chai';
import { useCases } from '../../../core/use-cases.ts';
import { startFor } from './behaviour.ts';
import { inProcess, PEOPLE, throughService, type Clients } from './clients.ts';
import { PAGE_BEHAVIOURS } from './pages.ts';
import { PEOPLE_BEHAVIOURS } from './people.ts';
import { TASK_BEHAVIOURS } from './tasks.ts';
import { Transcript, type Said } from './transcript.ts';
import { TRANSFER_BEHAVIOURS } from './transfers.ts';

const BEHAVIOURS = [...PEOPLE_BEHAVIOURS, ...PAGE_BEHAVIOURS, ...TASK_BEHAVIOURS, ...TRANSFER_BEHAVIOURS];

/** Looks at a store and not at what a caller may see, so that no client has it. */
const NOT_FOR_CALLERS = ['doctor.check'];
const CLIENTS = { 'in process': inProcess, 'through a running service': throughService } as const;

const recorded = new Map<string, Map<string, readonly Said[]>>();

for (const [where, open] of Object.entries(CLIENTS)) {
  describe(`Behaviour ${where}`, () => {
    const transcripts = new Map<string, readonly Said[]>();
    recorded.set(where, transcripts);
    for (const { name, run } of BEHAVIOURS) {
      it(name, async () => {
        const clients: Clients = await open();
        try {
          const transcript = new Transcript();
          const people = Object.fromEntries(PEOPLE.map((who) => [who, transcript.of(clients.sessions[who])]));
          await run(await startFor(people as Clients['sessions'], () => clients.idle()));
          transcripts.set(name, transcript.said);
        } finally {
          await clients.close();
        }
      });
    }

    it('covers every use case, as it goes well and as it goes wrong', () => {
      const all = Object.entries(useCases)
        .flatMap(([noun, verbs]) => Object.keys(verbs).map((verb) => `${noun}.${verb}`))
        .filter((useCase) => !NOT_FOR_CALLERS.includes(useCase));
      const said = [...transcripts.values()].flat();
      for (const how of ['well', 'wrong'] as const) {
        const seen = new Set(said.filter(({ went }) => went === how).map(({ useCase }) => useCase));
        expect(
          all.filter((useCase) => !seen.has(useCase)),
          how,
        ).to.deep.equal([]);
      }
    });
  });
}

describe('Behaviour everywhere', () => {
  for (const { name } of BEHAVIOURS) {
    it(`${name}: word for word the same`, () => {
      const [first, ...others] = [...recorded.values()].map((transcripts) => transcripts.get(name));
      expect(first).to.have.length.above(5);
      for (const other of others) expect(other).to.deep.equal(first);
    });
  }
});
