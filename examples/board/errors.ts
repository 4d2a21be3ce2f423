import { EspalierError } from 'espalier/client';

/** The code of an error of the service; undefined for another one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof EspalierError ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof EspalierError ? error.detail : (error as Error).message;
}
