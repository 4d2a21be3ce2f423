import { invalid } from '../../core/kernel/errors.ts';
import {
  A_BOOLEAN,
  A_FUNCTION,
  AN_OBJECT,
  type OptionRule,
  numberFrom,
  requireOptions,
  withFunctions,
} from '../../core/kernel/options.ts';
import { IDENTITY } from '../../core/ports/identity.ts';
import { TIMERS } from '../../core/ports/timers.ts';
import type { Parts } from './modules.ts';

const A_STORE = 'a store, such as memoryStore(); await the promise of openStore() first';

const RULES: Readonly<Record<keyof Parts, OptionRule>> = {
  store: withFunctions(A_STORE, 'read', 'write', 'ready', 'close'),
  clock: withFunctions('a clock, such as { now: () => Date.now() }', 'now'),
  ids: withFunctions('{ next, secret }, two functions that return ids', 'next', 'secret'),
  timers: TIMERS,
  identity: IDENTITY,
  keepChanges: AN_OBJECT,
  quotas: AN_OBJECT,
  impersonation: A_BOOLEAN,
  guards: [isFunctions, 'must be a list of functions'],
  keepTrash: numberFrom(0),
  onJobFailure: A_FUNCTION,
};

/** @throws `invalid-input` for parts of which no engine can be made. A misspelt rule would otherwise have no effect */
export function requireParts(parts: Parts): void {
  requireOptions(parts, RULES);
  if (parts.store === undefined) throw invalid('/store', `must be ${A_STORE}`);
}

function isFunctions(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'function');
}
