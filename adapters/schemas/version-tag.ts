import type { ExpectedVersion, ReadVersion } from '../../core/kernel/record.ts';

/**
 * Appended to the version in the tag of a task that is shown without its board: such a task has a version count of its
 * own.
 */
const HIDDEN = 'h';
const TAG = /^"(\d{1,15})(h?)-([^"]*)"$/;
/** Stands in place of a digest in the tag of a version that the caller has read. */
const READ = 'read';

/** The entity tag of a version, with a digest of how it is shown. */
export function versionTag({ version, boardHidden = false }: ReadVersion, digest: string): string {
  return `"${version}${boardHidden ? HIDDEN : ''}-${digest}"`;
}

/** The entity tag by which a version is expected, whatever the digest of the record. {@link expectedBy} reads it. */
export function tagOfExpected(expected: ExpectedVersion): string {
  return typeof expected === 'number' ? versionTag({ version: expected }, '') : versionTag(expected, READ);
}

/**
 * The version that an entity tag expects; null for a tag in another format. A tag without a digest expects the version
 * of a task both with its board and without.
 */
export function expectedBy(tag: string): ExpectedVersion | null {
  const [, version, hidden, digest] = TAG.exec(tag) ?? [];
  if (version === undefined) return null;
  const boardHidden = hidden === HIDDEN;
  return boardHidden || digest !== '' ? { version: Number(version), boardHidden } : Number(version);
}
