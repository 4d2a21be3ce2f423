import { NIL } from 'uuid';

/** What parsing a URL leaves out of its path, or resolves. */
const NO_SEGMENTS: readonly string[] = ['', '.', '..'];

/**
 * An id as a segment of a path. An id that no segment can hold, such as `..`, becomes the nil UUID: no record has it,
 * so that it is answered as any unknown id, and the path is that of no other record.
 */
export function segmentOf(id: string): string {
  return NO_SEGMENTS.includes(id) || !id.isWellFormed() ? NIL : encodeURIComponent(id);
}
