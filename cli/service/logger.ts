import type { Logger } from 'pino';
import type { Io } from '../io.ts';

/** Structured lines on stderr. */
export async function loggerFor(io: Io, level: string): Promise<Logger> {
  const { pino } = await import('pino');
  return pino({ level, base: null }, { write: (line: string) => void io.stderr.write(line) });
}
