import type { Operation } from '../schemas/operation.ts';
import { expectOk, jsonOf } from './answer.ts';

/** The result of the call. @throws the error of the response */
export async function resultOf(operation: Operation, base: string, response: Response): Promise<unknown> {
  await expectOk(base, response);
  if (response.status === 204) return undefined;
  const body = await jsonOf(base, response);
  if (!operation.paged) return body;
  const total = response.headers.get('x-total-count');
  return { items: body, next: nextCursor(response), ...(total === null ? {} : { total: Number(total) }) };
}

/** The cursor in the `Link` to the next page (RFC 8288), decoded: sessions in process do not encode cursors. */
function nextCursor(response: Response): string | null {
  const link = /<([^>]*)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  const cursor = link === undefined ? null : new URLSearchParams(link.split('?')[1]).get('cursor');
  return cursor;
}
