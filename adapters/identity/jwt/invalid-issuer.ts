import { EspalierError } from '../../../core/kernel/errors.ts';

/** An invalid issuer configuration. */
export function invalidIssuer(field: string, detail: string): EspalierError {
  return new EspalierError('invalid-input', `The ${field} of the JWT issuer ${detail}.`, [
    { pointer: `/${field}`, detail },
  ]);
}
