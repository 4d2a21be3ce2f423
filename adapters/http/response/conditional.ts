import { nextTurn } from '../../event-loop/next-turn.ts';
import { createHash, hash } from 'node:crypto';
import type { ExpectedVersion, ReadVersion } from '../../../core/kernel/record.ts';
import type { Operation } from '../../schemas/index.ts';
import { expectedBy, versionTag } from '../../schemas/version-tag.ts';
import { badRequest } from './problem.ts';
import { isParted, type JsonText } from './json.ts';
import type { Coding } from './reply.ts';

/**
 * An entity tag: the version of the record and a digest of the body, which may change while the version stays. A
 * promise if the body comes in parts.
 */
export function entityTag(record: object, body: string | Uint8Array): string;
export function entityTag(record: object, body: JsonText): string | Promise<string>;
export function entityTag(record: object, body: JsonText): string | Promise<string> {
  if (isParted(body)) return digestOfParts(body).then((digest) => tagOf(record, digest));
  return tagOf(record, hash('sha256', body, 'base64url'));
}

function tagOf(record: object, digest: string): string {
  const { version, boardHidden } = record as Partial<ReadVersion>;
  const short = digest.slice(0, 16);
  return typeof version === 'number' ? versionTag({ version, boardHidden }, short) : `"${short}"`;
}

/** A part of 1 MiB takes some milliseconds: other work runs between two parts. */
async function digestOfParts(body: readonly Uint8Array[]): Promise<string> {
  const digest = createHash('sha256');
  for (const part of body) {
    digest.update(part);
    await nextTurn();
  }
  return digest.digest('base64url');
}

/** The syntax of If-Match and If-None-Match: `*`, or a list of entity tags. */
export const ENTITY_TAGS =
  /^(?:\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*)$/;
const IF_NONE_MATCH = 'If-None-Match';
/** The most entity tags in a header: more than any cache keeps of one URL. */
const MAX_TAGS = 100;
const TAG = /(?:W\/)?"[^"]*"/g;

/**
 * The versions in an If-Match header; undefined for no header or `*`. Weak tags (RFC 9110, section 13.1.1) and tags in
 * another format match nothing.
 *
 * @throws `invalid-input` for a malformed header
 */
export function expectedVersions(header: string | null): readonly ExpectedVersion[] | undefined {
  return tagsOf('If-Match', header)?.flatMap((tag) => expectedBy(tag) ?? []);
}

/** Whether an operation takes If-None-Match: it is a GET of a single record. */
export function isRevalidated({ method, output, paged }: Operation): boolean {
  return method === 'GET' && !paged && (output as { type?: string }).type === 'object';
}

/**
 * Whether the single record that an operation answers has an entity tag. That of a record without a version, such as an
 * item of a checklist, is of use only to If-None-Match.
 */
export function isTagged({ method, output }: Operation): boolean {
  return method === 'GET' || hasVersion(output);
}

function hasVersion(schema: unknown): boolean {
  const { anyOf, properties = {} } = schema as { anyOf?: readonly unknown[]; properties?: object };
  return anyOf === undefined ? Object.hasOwn(properties, 'version') : anyOf.every(hasVersion);
}

/**
 * @throws `invalid-input` for a malformed If-None-Match header, so that it is refused before there is a tag to compare
 * it with
 */
export function requireKnownTags(header: string | null): void {
  tagsOf(IF_NONE_MATCH, header);
}

/**
 * The tag in an If-None-Match header that equals this one in any coding, for the 304 response; null for none.
 * Weak and strong tags compare equal.
 *
 * @throws `invalid-input`
 */
export function knownTag(header: string | null, tag: string): string | null {
  if (header?.trim() === '*') return tag;
  const tags = tagsOf(IF_NONE_MATCH, header)?.map((one) => one.replace(/^W\//, ''));
  return tags?.find((one) => one.replace(CODED, '"') === tag) ?? null;
}

/** Digests contain no plus sign. */
const CODED = /\+(?:br|gzip)"$/;

/** A strong entity tag is of one coding (RFC 9110, section 8.8.3): `"5-abc"` is `"5-abc+gzip"` under gzip. */
export function codedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}+${coding}"`;
}

function tagsOf(name: string, header: string | null): readonly string[] | undefined {
  if (header === null || header.trim() === '*') return undefined;
  if (!ENTITY_TAGS.test(header.trim())) throw badRequest(`The ${name} header must be * or a list of entity tags.`);
  const tags = header.match(TAG)!;
  if (tags.length > MAX_TAGS) throw badRequest(`The ${name} header must not name more than ${MAX_TAGS} entity tags.`);
  return tags;
}
