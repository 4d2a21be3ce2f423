import type { JWTPayload } from 'jose';
import { END_OF_TIME } from '../../../core/kernel/record.ts';
import type { ExternalCaller } from '../../../core/ports/context.ts';
import { isEmail } from '../../schemas/index.ts';
import type { ResolvedIssuer } from './issuer.ts';
import { refused } from './refused.ts';

const LONGEST_SUBJECT = 255;
const LONGEST_NAME = 200;
/** Every expiry time is before this, in seconds. */
export const END_OF_EXPIRIES = END_OF_TIME / 1_000;

/** The caller that the claims describe. Claims grant no rights here. @throws `unauthenticated` */
export function callerFrom(
  claims: JWTPayload,
  { issuer, linkVerifiedEmail = false, clockTolerance }: ResolvedIssuer,
): ExternalCaller {
  const subject = clean(claims.sub);
  if (subject === '' || subject !== claims.sub || subject.length > LONGEST_SUBJECT) {
    throw refused(`The token has no subject (sub) of 1 to ${LONGEST_SUBJECT} characters.`);
  }
  const email = clean(claims['email']);
  const verifiedEmail = claims['email_verified'] === true && isEmail(email) ? email : null;
  const names = [claims['name'], claims['preferred_username'], verifiedEmail, subject].map(nameFrom);
  // Other users would take an unverified address in a name for the address of this user.
  const name = names.find((one) => one !== '' && (one === verifiedEmail || !isEmail(one))) ?? 'User';
  const expiresAt = new Date(Math.min(claims.exp! + clockTolerance, END_OF_EXPIRIES - 1) * 1_000).toISOString();
  return { kind: 'external', issuer, subject, name, verifiedEmail, links: linkVerifiedEmail, expiresAt };
}

/** The text in a form that records accept; empty for other values. */
function clean(claim: unknown): string {
  return typeof claim === 'string' && claim.isWellFormed() && !claim.includes('\0') ? claim : '';
}

function nameFrom(claim: unknown): string {
  const characters = Array.from(clean(claim).trim());
  return characters.slice(0, LONGEST_NAME).join('').trim();
}
