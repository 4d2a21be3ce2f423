import type { Logger } from 'pino';
import type { Io } from '../io/io.ts';
import { escapedLog } from '../io/safe-text.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Structured lines on stderr; those of one turn of the event loop go out together, before the process ends.
 *
 * @param several whether each line is to say which process it comes from
 */
export async function loggerFor(io: Io, level: LogLevel, several: boolean): Promise<Logger> {
  const { pino } = await import('pino');
  let waiting = '';
  const flush = () => {
    process.off('exit', flush);
    io.stderr.write(escapedLog(waiting));
    waiting = '';
  };
  const write = (line: string) => {
    if (waiting === '') {
      setImmediate(flush);
      process.on('exit', flush);
    }
    waiting += line;
  };
  return pino({ level, base: several ? { pid: process.pid } : null }, { write });
}
