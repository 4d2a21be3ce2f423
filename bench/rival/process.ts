import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { eventually, freePorts } from '../../test/fixtures/mongodb/mongod.ts';
import { answerTo } from '../rows/requests.ts';
import { cpuOf } from '../process/cpu.ts';
import { tied } from '../process/tied.ts';
import { PASSWORD } from './records.ts';

/** A PocketBase in a process of its own, which ends with the bench. */
export interface Pocketbase {
  readonly url: string;
  /** Of its superuser. */
  readonly token: string;
  readonly worker: {
    /** Microseconds of CPU that the process has used. */
    call(name: 'cpu'): Promise<number>;
    /** May be called more than once. */
    end(): Promise<void>;
  };
}

export interface Credentials {
  readonly identity: string;
  readonly password: string;
}

const SUPERUSER: Credentials = { identity: 'root@example.org', password: PASSWORD };

/** @returns such as 0.36.8. @throws when this is no PocketBase */
export function versionOf(program: string): string {
  const { error, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (error !== undefined)
    throw new Error(`POCKETBASE is to name a program, and ${program} is none.`, { cause: error });
  // A release says it; one built from source does not, but names the modules that it is made of.
  const said = /version (\d+\.\d+\.\S+)/.exec(stdout)?.[1];
  const found = said ?? /\tgithub\.com\/pocketbase\/pocketbase\tv(\S+)/.exec(readFileSync(program, 'latin1'))?.[1];
  if (found === undefined) throw new Error(`POCKETBASE is to name a PocketBase, and ${program} is something else.`);
  return found;
}

/** @param folder where it keeps everything */
export async function startedPocketbase(program: string, folder: string): Promise<Pocketbase> {
  // In development it prints every statement; it takes that for granted where the program is in a temporary folder.
  const options = ['--dev=false', '--dir', `${folder}/data`];
  const { identity, password } = SUPERUSER;
  const made = spawnSync(program, ['superuser', 'upsert', identity, password, ...options], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`PocketBase made no superuser: ${made.stderr}`);

  const address = `127.0.0.1:${(await freePorts(1))[0]}`;
  const child = spawn(program, ['serve', '--http', address, ...options], { stdio: ['ignore', 'ignore', 2] });
  const ended = tied(child);
  const worker: Pocketbase['worker'] = {
    call: async () => cpuOf(child.pid!),
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  const url = `http://${address}`;
  const tooEarly = ended.then(() => {
    throw new Error('PocketBase ended as it started.');
  });
  try {
    const token = await Promise.race([eventually(() => signedIn(url, '_superusers', SUPERUSER)), tooEarly]);
    return { url, token, worker };
  } catch (error) {
    await worker.end();
    throw error;
  }
}

/** @returns a token */
export async function signedIn(url: string, collection: string, body: Credentials): Promise<string> {
  const path = `/api/collections/${collection}/auth-with-password`;
  const { token } = (await (await answerTo(url, { method: 'POST', path, body })).json()) as { token: string };
  return token;
}
