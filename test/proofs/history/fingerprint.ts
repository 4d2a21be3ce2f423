import { createHash } from 'node:crypto';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import type { KvValue } from '../../../adapters/store-kv/engine/kv.ts';
import type { KvWorkspaceState } from '../../../adapters/store-kv/structure/workspace-keys.ts';
import type { State } from './model.ts';

/** Values are never changed once put, and states share them. */
const values = new WeakMap<object, string>();

/**
 * What a state holds, as a short text: calls that do not touch each other come to the same in any order. When somebody
 * was active is left out, as no answer is compared by it, and so is the order of their changes in the log.
 */
export function fingerprint(state: State): string {
  const hash = createHash('sha1');
  for (const [key, value] of state.range({ from: '', to: AFTER_ALL }, Infinity, false)) {
    if (LEFT_OUT.some((prefix) => key.startsWith(prefix))) continue;
    hash
      .update(key)
      .update('\n')
      .update(printOf(keptOf(key, value)))
      .update('\n');
  }
  return hash.digest('base64');
}

/** Without the places of changes in the log. */
function keptOf(key: string, value: KvValue): KvValue {
  if (key.startsWith(PREFIX.workspaceState)) return { ...(value as KvWorkspaceState), log: null };
  return key.startsWith(PREFIX.taskByUpdate) ? '' : value;
}

const LEFT_OUT = [PREFIX.activity, PREFIX.loggedChange, PREFIX.boardEntry, PREFIX.historyEnd];

/** Keys have characters up to U+00FF. */
const AFTER_ALL = '\u0100';

function printOf(value: string | number | object): string {
  if (typeof value !== 'object') return String(value);
  const known = values.get(value);
  if (known !== undefined) return known;
  const print = createHash('sha1').update(JSON.stringify(value)).digest('base64');
  values.set(value, print);
  return print;
}
