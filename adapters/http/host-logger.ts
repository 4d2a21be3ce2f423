import type { Logger } from './options.ts';

/** A logger of the host whose failures are ignored: a line that cannot be written fails no request, and ends no process. */
export function hostLogger(logger: Logger): Logger {
  const log = (level: keyof Logger, fields: object, message: string): void => {
    try {
      const logged: unknown = logger[level](fields, message);
      if (logged instanceof Promise) logged.catch(ignore);
    } catch (error) {
      ignore(error);
    }
  };
  return {
    info: (fields, message) => log('info', fields, message),
    error: (fields, message) => log('error', fields, message),
  };
}

function ignore(_: unknown): void {}
