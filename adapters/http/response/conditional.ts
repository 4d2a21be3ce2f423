import { hash } from 'node:crypto';
import { badRequest } from './problem.ts';
import type { Coding } from './reply.ts';

/** An entity tag: the version of the record, and a digest of the body, which may change without it. */
export function entityTag(record: object, body: string): string {
  const digest = hash('sha256', body, 'base64url').slice(0, 16);
  const { version } = record as { version?: unknown };
  return typeof version === 'number' ? `"${version}-${digest}"` : `"${digest}"`;
}

/** What If-Match and If-None-Match take: `*`, or a list of entity tags. */
export const ENTITY_TAGS =
  /^(?:\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*)$/;
/** More than any cache keeps of one address. */
const MOST_TAGS = 100;
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

/**
 * The tag in an If-None-Match header that is this one, in any coding, as it is to be told with 304: null for none.
 * Weak and strong count the same.
 *
 * @throws `invalid-input`
 */
export function knownTag(header: string | null, tag: string): string | null {
  if (header?.trim() === '*') return tag;
  const tags = tagsOf('If-None-Match', header)?.map((one) => one.replace(/^W\//, ''));
  return tags?.find((one) => one.replace(CODED, '"') === tag) ?? null;
}

/** No digest holds a plus. */
const CODED = /\+(?:br|gzip)"$/;

/** A strong entity tag is of one coding (RFC 9110, section 8.8.3): `"5-abc"` is `"5-abc+gzip"` under gzip. */
export function codedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}+${coding}"`;
}

function tagsOf(name: string, header: string | null): readonly string[] | undefined {
  if (header === null || header.trim() === '*') return undefined;
  if (!ENTITY_TAGS.test(header.trim())) throw badRequest(`The ${name} header must be * or a list of entity tags.`);
  const tags = header.match(TAG)!;
  if (tags.length > MOST_TAGS) throw badRequest(`The ${name} header must not name more than ${MOST_TAGS} entity tags.`);
  return tags;
}
