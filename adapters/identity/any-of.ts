import { EspalierError } from '../../core/kernel/errors.ts';
import type { Identity } from '../../core/ports/identity.ts';

/** Tries several identities in order. The first that knows the caller decides; if none does, the first error is thrown. */
export function anyOf(identities: readonly Identity[]): Identity {
  return {
    async authenticate(authorization) {
      let refusal: EspalierError | null = null;
      for (const identity of identities) {
        try {
          const caller = await identity.authenticate(authorization);
          if (caller !== null) return caller;
        } catch (error) {
          if (!(error instanceof EspalierError) || error.code !== 'unauthenticated') throw error;
          refusal ??= error;
        }
      }
      if (refusal !== null) throw refusal;
      return null;
    },
  };
}
