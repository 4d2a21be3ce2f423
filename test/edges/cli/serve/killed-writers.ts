import { expect } from 'chai';
import type { CliDirectory } from '../in-process.ts';
import type { ServeProcess } from './serve-process.ts';

export const USUAL = 2;

/** ESPALIER_WORKER_FAULTS: rounds of each fault. */
export const ROUNDS = Number(process.env['ESPALIER_WORKER_FAULTS'] ?? USUAL);

/** A client that has heard nothing for so many milliseconds waits for ever. */
const FOR_EVER = 30_000;

export const CLIENTS = 8;
export const WRITES = 40;

/** @returns the status, or null when the connection was broken off. @throws when there is no end of it */
export async function statusOf(url: string, init: RequestInit = {}): Promise<number | null> {
  const signal = AbortSignal.timeout(FOR_EVER);
  const answer = await fetch(url, { ...init, signal }).catch((error: unknown) => {
    if (error instanceof TypeError) return null;
    throw error;
  });
  if (answer === null) return null;
  await answer.text().catch(() => {});
  return answer.status;
}

/**
 * Kills workers that write for others, one after another, while clients write in one workspace. What was acknowledged is kept.
 *
 * @param service of two workers on an empty store
 */
export async function killWriters(service: ServeProcess, here: CliDirectory, store: string): Promise<void> {
  const { url, administrator } = await service.started;
  const headers = { authorization: `Bearer ${administrator!.token}`, 'content-type': 'application/json' };
  const pages = await pagesOfNewWorkspace(url, headers);
  const acknowledged: string[] = [];
  const over = new AbortController();
  let enough = (): void => {};
  const client = async (name: string): Promise<void> => {
    for (let i = 0; !over.signal.aborted; i += 1) {
      const page = { name: `${name} ${i}`, type: 'folder' };
      const status = await statusOf(url + pages, { method: 'POST', headers, body: JSON.stringify(page) });
      // Broken off, or not known whether it was kept: by the kill.
      expect(status).to.be.oneOf([201, 503, null]);
      if (status === 201) acknowledged.push(page.name);
      enough();
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(String(i))));
  const killed: number[] = [];
  const nextWriter = async (): Promise<number> => {
    const found = await service.line(
      ({ msg, worker }) => msg === 'worker writes for others' && !killed.includes(worker!),
    );
    return found.worker!;
  };
  const moreWrites = () => {
    const goal = acknowledged.length + WRITES;
    return new Promise<void>((resolve) => {
      enough = () => {
        if (acknowledged.length >= goal) resolve();
      };
    });
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const victim = await nextWriter();
    await moreWrites();
    killed.push(victim);
    process.kill(victim, 'SIGKILL');
    await service.line(({ msg, worker }) => msg === 'worker ended' && worker === victim);
  }
  await nextWriter();
  await moreWrites();
  over.abort();
  await clients;
  service.child.kill('SIGTERM');
  expect((await service.done).code).to.equal(0);
  await expectKept(here, acknowledged, store);
  await here.ok(['doctor'], { env: { ESPALIER_STORE: store } });
}

/** That the pages of these names are in the workspace `acme`. */
export async function expectKept(here: CliDirectory, acknowledged: readonly string[], store: string): Promise<void> {
  const listed = await here.ok(['page', 'list', '--workspace', 'acme', '--json'], {
    env: { ESPALIER_STORE: store, ESPALIER_AS: 'admin@espalier.localhost' },
  });
  const found = new Set(listed.json<{ name: string }[]>().map(({ name }) => name));
  expect(acknowledged.filter((name) => !found.has(name))).to.deep.equal([]);
}

/** The path of the pages of a new workspace, `acme`. */
export async function pagesOfNewWorkspace(url: string, headers: Record<string, string>): Promise<string> {
  const body = JSON.stringify({ name: 'Acme' });
  const made = await fetch(`${url}/api/workspace`, { method: 'POST', headers, body });
  return `/api/workspace/${((await made.json()) as { id: string }).id}/page`;
}
