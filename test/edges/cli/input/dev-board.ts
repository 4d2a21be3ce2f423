import { acmeDirectory, type CliDirectory } from '../in-process.ts';

/** A directory with the board `Engineering/Dev`, its tasks `one`, which has a page, and `two`, and a page beside it. */
export async function devBoard(): Promise<CliDirectory> {
  const here = await acmeDirectory();
  await here.ok(['page', 'create', '--type', 'folder', '--name', 'Engineering']);
  await here.ok(['board', 'create', '--no-columns', '--name', 'Dev', '--parent', 'Engineering']);
  await here.ok(['status', 'create', '-b', 'Dev', '--name', 'Todo']);
  await here.ok(['status', 'create', '-b', 'Dev', '--name', 'Done']);
  for (const title of ['one', 'two']) await here.ok(['task', 'create', '-b', 'Dev', '-t', title]);
  await here.ok(['page', 'create', '--type', 'task', '--name', 'one', '--parent', 'Dev', '--task', 'one']);
  await here.ok(['page', 'create', '--type', 'folder', '--name', 'Other']);
  return here;
}

/** What a dry run must not change. */
export async function everythingIn(here: CliDirectory): Promise<unknown> {
  const lists = [
    ['workspace', 'list'],
    ['page', 'list'],
    ['task', 'list'],
    ['status', 'list', '-b', 'Dev'],
  ];
  const found: unknown[] = [];
  for (const args of lists) found.push((await here.ok([...args, '--json'])).json());
  return found;
}

/** Makes a user a member of the workspace. */
export async function join(here: CliDirectory, email: string, role = 'member'): Promise<void> {
  await here.ok(['user', 'create', '--name', 'New', '--email', email, '--as', 'operator']);
  const { id } = (await here.ok(['invitation', 'create', '--role', role, '--json'])).json<{ id: string }>();
  await here.ok(['invitation', 'accept', id, '--as', email]);
}
