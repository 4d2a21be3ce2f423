import { EspalierError } from '../../core/errors.ts';
import type { HttpRequest } from './request.ts';

export interface Transport {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** How often a call is asked again. Default 3. */
  readonly retries: number;
  /** Milliseconds until an attempt is given up. Default 30,000. */
  readonly timeout: number;
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/** Asks, and asks again where the service was busy, or cannot be heard and may be asked twice. */
export async function send(base: string, request: HttpRequest, transport: Transport): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const last = attempt >= transport.retries;
    try {
      const response = await once(base, request, transport);
      // Nothing was done, so that asking again is safe for everything.
      const busy = response.status === 503 || response.status === 429;
      if (!busy || last) return response;
      await response.body?.cancel();
      await pause(attempt, response.headers.get('retry-after'));
    } catch (error) {
      if (last || !request.repeatable) {
        throw new EspalierError('store-unavailable', `The service at ${base} cannot be reached.`, [], { cause: error });
      }
      await pause(attempt, null);
    }
  }
}

function once(base: string, request: HttpRequest, transport: Transport): Promise<Response> {
  const { method, headers, body } = request;
  return transport.fetch(base + request.path, {
    method,
    headers,
    redirect: 'error',
    signal: AbortSignal.timeout(transport.timeout),
    ...(body === undefined ? {} : { body }),
  });
}

/** Longer each time, and never the same for two clients. */
function pause(attempt: number, retryAfter: string | null): Promise<void> {
  const asked = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 0;
  const own = FIRST_PAUSE * 2 ** attempt * (0.5 + Math.random());
  return new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_PAUSE, Math.max(asked, own))));
}
