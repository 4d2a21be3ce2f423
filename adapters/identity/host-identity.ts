import { A_BOOLEAN, A_STRING, type OptionRule, requireOptions } from '../../core/kernel/options.ts';
import type { Caller } from '../../core/ports/context.ts';
import type { Identity } from '../../core/ports/identity.ts';
import { isEmail, toJsonValue } from '../schemas/index.ts';

function text(longest: number): OptionRule {
  const fits = (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.length <= longest;
  return [fits, `must be text of 1 to ${longest} characters`];
}

/** By kind, the rules for the fields that a caller must have. */
const CALLERS: Readonly<Record<Caller['kind'], Readonly<Record<string, OptionRule>>>> = {
  operator: {},
  user: { userId: A_STRING },
  token: { hash: A_STRING },
  external: {
    issuer: [
      (value) => typeof value === 'string' && /^\S{1,500}$/.test(value),
      'must be 1 to 500 characters without space',
    ],
    subject: text(255),
    name: text(200),
    verifiedEmail: [
      (value) => value === null || (typeof value === 'string' && isEmail(value)),
      'must be an e-mail address, or null',
    ],
    links: A_BOOLEAN,
  },
};

/**
 * Checks the callers that an identity of the host returns, as it may be written in JavaScript: an invalid caller would
 * fail later, or become a user that breaks the rules. As the fault is the host's, the client gets an internal error,
 * and the log has the reason.
 */
export function hostIdentity(identity: Identity): Identity {
  return {
    async authenticate(authorization) {
      const given: unknown = await identity.authenticate(authorization);
      return given === null || given === undefined ? null : callerFrom(given);
    },
  };
}

function callerFrom(given: unknown): Caller {
  const { kind, ...fields } = { ...(given as { readonly kind?: unknown }) };
  const rules = typeof kind === 'string' && Object.hasOwn(CALLERS, kind) ? CALLERS[kind as Caller['kind']] : undefined;
  try {
    if (rules === undefined) throw new Error(`kind must be one of ${Object.keys(CALLERS).join(', ')}`);
    toJsonValue(fields);
    const missing = Object.keys(rules).find((name) => fields[name as never] === undefined);
    if (missing !== undefined) throw new Error(`${missing} is required`);
    requireOptions(fields, { ...rules, expiresAt: A_STRING });
  } catch (cause) {
    throw new TypeError(`authenticate() gave no caller: ${(cause as Error).message}`, { cause });
  }
  return given as Caller;
}
