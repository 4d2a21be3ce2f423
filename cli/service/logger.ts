import type { Logger } from 'pino';
import type { Io } from '../io/io.ts';
import { escapedLog, joined, type SafeText } from '../io/safe-text.ts';
import { styleFor } from '../output/table/style.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Logs JSON lines on stderr, or readable ones if it is a terminal. Lines of one turn of the event loop are written
 * together, at the latest when the process exits.
 *
 * @param several whether lines include the process id
 */
export async function loggerFor(io: Io, level: LogLevel, several: boolean): Promise<Logger> {
  const { pino } = await import('pino');
  const shown = io.stderr.isTTY ? await readable(io) : escapedLog;
  let waiting = '';
  const flush = () => {
    process.off('exit', flush);
    io.stderr.write(shown(waiting));
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

async function readable(io: Io): Promise<(text: string) => SafeText> {
  const { readableLog } = await import('./readable-log.ts');
  const style = await styleFor(io.stderr, io.env, false);
  return (text) =>
    joined(
      text
        .trimEnd()
        .split('\n')
        .map((line) => readableLog(line, style)),
    );
}
