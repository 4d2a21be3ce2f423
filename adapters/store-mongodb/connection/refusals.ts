import { MongoAPIError } from 'mongodb';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { isUnavailable } from './errors.ts';
import { storeError } from './store-errors.ts';

/**
 * The error for a URL or options that the driver refuses. Its message is left out if it could repeat a part of the URL,
 * such as a password.
 */
export function refusedByDriver(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof EspalierError) return error;
  const isTold = isRefusal(error);
  if (!isTold && error.name !== 'MongoRuntimeError' && !(error instanceof URIError)) return error;
  return new EspalierError('invalid-input', refusedDetail(isTold ? error.message : 'it is no connection string'));
}

/** Whether the driver tells what is wrong with its URL or options. The class of the URL parser is not exported. */
function isRefusal(error: Error): boolean {
  return error.name === 'MongoParseError' || (error instanceof MongoAPIError && !isUnavailable(error));
}

function refusedDetail(why: string): string {
  return `The MongoDB driver does not accept the URL or its options: ${why}.`;
}

/** The error for options that the driver refuses only when it connects: some are checked then, and files are read. */
export function refusedWhenConnecting(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { syscall, code } = error as NodeJS.ErrnoException;
  const why =
    syscall === 'open' ? `a file of tlsCAFile or tlsCertificateKeyFile cannot be read (${code})` : error.message;
  if (syscall !== 'open' && !isRefusal(error)) return error;
  return storeError('store-unavailable', refusedDetail(why), error);
}
