import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { Random } from '../../../contract/random.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { killableService } from './service-process.ts';

const USUAL = 100;

/** ESPALIER_RETRIES: how many requests are sent again, at least. */
const RETRIES = Number(process.env['ESPALIER_RETRIES'] ?? USUAL);

/** ESPALIER_CRASHES: how often the service is killed meanwhile. */
const CRASHES = Number(process.env['ESPALIER_CRASHES'] ?? Math.ceil(RETRIES / 33));

const CLIENTS = 8;

describe('a client that sends its requests again', function () {
  // How long more than the usual take is up to the machine.
  this.timeout(RETRIES > USUAL ? 0 : 60_000);
  const folder = temporaryFolder();

  it(`has each done exactly once, over ${RETRIES} retries and ${CRASHES} crashes`, async () => {
    const path = `${folder}/retries.db`;
    const { workspaceId, boardId, token } = await prepared(path);
    const random = new Random(Date.now());
    const crashAt = new Set(Array.from({ length: CRASHES }, () => random.below(RETRIES)));
    const service = killableService(path);
    const acknowledged = new Map<string, string>();
    let answers = 0;
    let next = 0;

    /** Sends until there is an answer. @returns its body */
    const sent = async (title: string): Promise<string> => {
      for (;;) {
        const url = await service.url();
        try {
          const answer = await fetch(`${url}/api/workspace/${workspaceId}/task`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': title },
            body: JSON.stringify({ title, boardId }),
          });
          const text = await answer.text();
          expect(answer.status, text).to.equal(201);
          return text;
        } catch (error) {
          // No answer: it has been killed, and the outcome is unknown.
          if (!(error instanceof TypeError)) throw error;
        }
      }
    };

    const client = async (): Promise<void> => {
      while (next < RETRIES) {
        const title = `task-${next++}`;
        for (let times = 2; times > 0; times--) {
          const text = await sent(title);
          expect(acknowledged.get(title) ?? text).to.equal(text);
          acknowledged.set(title, text);
        }
        if (crashAt.delete(answers++)) await service.kill();
      }
    };

    try {
      await Promise.all(Array.from({ length: CLIENTS }, client));
    } finally {
      await service.end();
    }
    const made = await tasksAt(path, workspaceId);
    const told = [...acknowledged.values()].map((text) => JSON.parse(text) as { id: string; title: string });
    expect(made).to.have.length(RETRIES);
    expect(new Map(made.map(({ id, title }) => [id, title]))).to.deep.equal(
      new Map(told.map(({ id, title }) => [id, title])),
    );
  });
});

async function prepared(path: string) {
  const espalier = createEspalier({ store: embeddedStore({ path }) });
  const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
  const ada = espalier.as(user);
  const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
  const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Sprint' });
  await ada.statuses.create({ workspaceId, boardId, name: 'To do' });
  const { token } = await ada.tokens.create({ name: 'test' });
  await espalier.close();
  return { workspaceId, boardId, token };
}

async function tasksAt(path: string, workspaceId: string) {
  const store = embeddedStore({ path });
  const query = { workspaceId, scope: null, filters: [], sort: [{ field: 'id', descending: false }] } as const;
  const tasks = await store.read((tx) => tx.tasks.find({ ...query, after: null, limit: RETRIES + 100 }));
  await store.close();
  return tasks;
}
