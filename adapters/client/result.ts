import { expectOk, jsonOf, notEspalier, OTHER_JSON } from './answer.ts';
import type { OperationRoute } from './routes.ts';
import { CURSOR } from '../schemas/http-names.ts';

/** The result of the call. @throws the error of the response */
export async function readResult(route: OperationRoute, base: string, response: Response): Promise<unknown> {
  await expectOk(base, response, route.method !== 'GET');
  if (response.status === 204) {
    if (route.method === 'GET') throw notEspalier(base, 'no content');
    return undefined;
  }
  const body = await jsonOf(base, response);
  const isPaged = route.paged === true;
  if (Array.isArray(body) !== (isPaged || route.listed === true)) throw notEspalier(base, OTHER_JSON);
  if (!isPaged) return body;
  const total = response.headers.get('x-total-count');
  const cursor = route.resumedBy === 'since' ? { cursor: response.headers.get(CURSOR) ?? '' } : {};
  const next = nextCursor(response, route.resumedBy);
  return { items: body, next, ...cursor, ...(total === null ? {} : { total: Number(total) }) };
}

/** The cursor in the `Link` to the next page (RFC 8288), decoded: sessions in process do not encode cursors. */
function nextCursor(response: Response, resumedBy: OperationRoute['resumedBy'] = 'cursor'): string | null {
  const link = /<([^>]*)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  const cursor = link === undefined ? null : new URLSearchParams(link.split('?')[1]).get(resumedBy);
  return cursor;
}
