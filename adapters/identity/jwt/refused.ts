import { errors } from 'jose';
import { EspalierError } from '../../../core/kernel/errors.ts';

export function refused(detail: string, cause?: unknown): EspalierError {
  return new EspalierError('unauthenticated', detail, [], { cause });
}

/** The claim at fault is named only after the signature has been verified. */
export function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired (exp).';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `The token is not valid for this service, or not valid yet (${error.claim}).`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return 'The token is signed with an algorithm that is not allowed (alg).';
  }
  if (error instanceof errors.JWKSMultipleMatchingKeys) return 'The token does not name its key (kid).';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed) {
    return 'The token is not signed with a key of its issuer.';
  }
  return 'The token is not a JSON Web Token that can be verified.';
}
