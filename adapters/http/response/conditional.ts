import { hash } from 'node:crypto';
import { badRequest } from './problem.ts';

/** An entity tag: the version of the record, and a digest of the body, which may change without it. */
export function entityTag(record: object, body: string): string {
  const digest = hash('sha256', body, 'base64url').slice(0, 16);
  const { version } = record as { version?: unknown };
  return typeof version === 'number' ? `"${version}-${digest}"` : `"${digest}"`;
}

/** What If-Match and If-None-Match take: `*`, or a list of entity tags. */
export const ENTITY_TAGS =
  /^(?:\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*)$/;
const TAG = /(?:W\/)?"[^"]*"/g;

/**
 * The versions that an If-Match header names; undefined for no header or `*`. A weak tag matches nothing
 * (RFC 9110, section 13.1.1), and neither does one that is not of ours.
 *
 * @throws `invalid-input` for a header that is no list of entity tags
 */
export function expectedVersions(header: string | null): readonly number[] | undefined {
  const tags = tagsOf('If-Match', header);
  if (tags === undefined) return undefined;
  return tags.flatMap((tag) => {
    const version = /^"(\d{1,15})-/.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/** Whether an If-None-Match header names this tag. Weak and strong count the same. @throws `invalid-input` */
export function isKnown(header: string | null, tag: string): boolean {
  if (header?.trim() === '*') return true;
  return tagsOf('If-None-Match', header)?.some((one) => one.replace(/^W\//, '') === tag) ?? false;
}

function tagsOf(name: string, header: string | null): readonly string[] | undefined {
  if (header === null || header.trim() === '*') return undefined;
  if (!ENTITY_TAGS.test(header.trim())) throw badRequest(`The ${name} header must be * or a list of entity tags.`);
  return header.match(TAG)!;
}
