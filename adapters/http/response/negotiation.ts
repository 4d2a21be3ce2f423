import { HttpError } from './problem.ts';

/** @throws `not-acceptable` when the Accept header excludes the type of the response */
export function requireAcceptable(request: Request, type = 'application/json'): void {
  const accept = request.headers.get('accept');
  if (accept !== null && accept !== '' && !(quality(accept, type) > 0)) {
    throw new HttpError('not-acceptable', `The answer is ${type}, which the Accept header excludes.`);
  }
}

/** Whether an Accept header accepts the first type rather than the second, and names it or leaves the second out. */
export function prefers(request: Request, type: string, other: string): boolean {
  const accept = (request.headers.get('accept') ?? '').toLowerCase();
  const rival = quality(accept, other);
  return quality(accept, type) > rival && (rival === 0 || accept.includes(type));
}

/** How welcome a type is, 0 to 1: the most specific matching range decides. */
function quality(accept: string, type: string): number {
  const [family] = type.split('/');
  const fitting = [type, `${family}/*`, '*/*'];
  let best = { rank: fitting.length, quality: 0 };
  for (const part of accept.split(',')) {
    const [range, ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const rank = fitting.indexOf(range!);
    if (rank === -1 || rank > best.rank) continue;
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
    best = { rank, quality: q === undefined ? 1 : Number(q.split('=')[1]) };
  }
  return best.quality;
}
