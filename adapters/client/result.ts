import type { Operation } from '../schemas/operation.ts';
import { expectOk, jsonOf } from './answer.ts';

/** What the call gives. @throws the error it ends with */
export async function resultOf(operation: Operation, base: string, response: Response): Promise<unknown> {
  await expectOk(base, response);
  if (response.status === 204) return undefined;
  const body = await jsonOf(base, response);
  if (!operation.paged) return body;
  const total = response.headers.get('x-total-count');
  return { items: body, next: nextCursor(response), ...(total === null ? {} : { total: Number(total) }) };
}

/** Of the link to the next part (RFC 8288). In process a cursor is not encoded. */
function nextCursor(response: Response): string | null {
  const link = /<([^>]*)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  const cursor = link === undefined ? null : new URLSearchParams(link.split('?')[1]).get('cursor');
  return cursor;
}
