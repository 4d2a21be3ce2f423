import type { CommandCall } from '../call.ts';
import { usage } from '../io/failure.ts';
import { option, type OptionValues } from '../option.ts';

export const MAP = option('--map <people>', 'username=email, or a JSON file of such pairs (repeatable)', {
  many: true,
});

/**
 * E-mail addresses by username of the other system, from `--map`: each value is `username=email`, or a
 * file with a JSON object of them.
 */
export async function peopleMap(call: CommandCall<OptionValues<[typeof MAP]>>): Promise<ReadonlyMap<string, string>> {
  const people = new Map<string, string>();
  for (const value of call.options.map ?? []) {
    const [username, email] = value.split('=', 2);
    if (email !== undefined && !value.endsWith('.json')) people.set(key(username!, value), address(email, value));
    else
      for (const [name, mapped] of Object.entries(await fileMap(call, value))) {
        people.set(key(name, value), address(mapped, value));
      }
  }
  return people;
}

async function fileMap(call: CommandCall, file: string): Promise<Record<string, unknown>> {
  const text = await call.read(file);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw usage(`${file} is not JSON: ${(error as Error).message}`, SHAPE);
  }
  throw usage(`${file} does not contain a JSON object.`, SHAPE);
}

const SHAPE = 'It should look like {"username": "somebody@example.org"}.';

function key(username: string, from: string): string {
  if (username.trim() === '') throw usage(`--map ${from} has no username.`, 'Use --map username=email.');
  return username.trim().toLowerCase();
}

function address(email: unknown, from: string): string {
  if (typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email.trim())) return email.trim();
  throw usage(`--map ${from}: ${JSON.stringify(email)} is not an e-mail address.`, SHAPE);
}
