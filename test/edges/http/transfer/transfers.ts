import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { newApi, type Answer, type Api } from '../support.ts';

export const LINES = 'application/x-ndjson';

export const exported = (api: Api, { ids }: SampleWorkspace, token?: string, method = 'GET'): Promise<Answer> =>
  api.ask({ method, path: `/api/workspace/${ids.workspaceId}/export`, ...(token !== undefined && { token }) });

export function imported(api: Api, token: string, raw: string, headers: Record<string, string> = {}): Promise<Answer> {
  return api.ask({ method: 'POST', path: '/api/import', token, raw, headers: { 'content-type': LINES, ...headers } });
}

/** Puts tasks of 50,000 characters each on the board. */
export async function fill(
  { espalier }: Api,
  { ids, ada }: SampleWorkspace,
  tasks: number,
  description = 'x'.repeat(50_000),
) {
  if (tasks === 0) return;
  const { workspaceId, boardId } = ids;
  const draft = (i: number) => ({ title: `Task ${i}`, boardId, description });
  await espalier.as(ada).tasks.createMany({ workspaceId, tasks: Array.from({ length: tasks }, (_, i) => draft(i)) });
}

/** The export of an sample that is somewhere else, with so many tasks. */
export async function text(tasks = 0, description?: string): Promise<string> {
  const api = await newApi('in process');
  const sample = await newSampleWorkspace(api);
  await fill(api, sample, tasks, description);
  const answer = await exported(api, sample, sample.ada.token);
  await api.close();
  return answer.text;
}

/** Lines with the checksum that fits them. */
export function summed(lines: string): string {
  const at = lines.lastIndexOf('{"kind":"end"');
  const sha256 = createHash('sha256').update(lines.slice(0, at)).digest('hex');
  return lines.slice(0, at) + lines.slice(at).replace(/"sha256":"\w+"/, `"sha256":"${sha256}"`);
}

/** Nothing of a workspace, once what was left has been removed. */
export async function expectNothing({ espalier }: Api): Promise<void> {
  await espalier.idle();
  const left = await espalier.store.read(async (tx) => [
    await tx.workspaces.list('all', {}, { limit: 10 }),
    await tx.jobs.list('all', {}, { limit: 10 }),
  ]);
  expect(left).to.deep.equal([[], []]);
}
