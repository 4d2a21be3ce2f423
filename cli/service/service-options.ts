import type { ConnectionLimits } from '../../adapters/http/index.ts';
import { BASE_PATH_FORM, isBasePath } from '../../adapters/http/base-path.ts';
import type { Logger } from 'pino';
import type { QuotaSettings } from '../../core/model/service/quotas.ts';
import { isEmail } from '../../adapters/schemas/formats.ts';
import { usage } from '../io/failure.ts';
import type { Io } from '../io/io.ts';
import { fileModeOf } from '../config/file-mode.ts';
import type { KeepChanges } from '../../core/model/log/kept-changes.ts';
import { parseKeepChanges } from '../config/keep-changes.ts';
import { MAX_TRASH_SECONDS } from '../../core/trash/retention.ts';
import { parseDuration } from '../config/duration.ts';
import { parseQuotas } from '../config/quotas.ts';
import { takesPrecedence, type Settings } from '../config/settings.ts';
import { switchOf } from '../config/switch.ts';
import { isLoopback } from './loopback.ts';
import { connectionOptionsOf, measured } from './connection-options.ts';
import { guardsOf, type Guards, trustedProxiesOf } from './protection-options.ts';
import { LOG_LEVELS, loggerFor, type LogLevel } from './logger.ts';
import { type SignIn, signInOf } from './sign-in.ts';

/** The options of the service, validated as far as possible without opening files. */
export interface Setup {
  /** The URL of the store. */
  readonly store: string;
  /** Permissions of created files. */
  readonly fileMode: number;
  readonly host: string;
  readonly port: number;
  /** The prefix of the paths of the service. */
  readonly basePath: string;
  /** The number of worker processes, from 1 to 64. */
  readonly workers: number;
  readonly logger: Logger;
  /** The e-mail address of the administrator that a new store gets. */
  readonly adminEmail: string;
  /** Quotas to be stored at the start. */
  readonly quotas: QuotaSettings;
  /** How much of change logs is kept, to be stored at the start. Undefined: as it is stored. */
  readonly keepChanges: KeepChanges | undefined;
  /** How long the trash is kept, in seconds, to be stored at the start. Undefined: as it is stored. */
  readonly trashSeconds: number | undefined;
  /** Whether others reach it, beyond loopback or through a proxy: then limits and quotas have defaults. */
  readonly isOpen: boolean;
  /** How users sign in besides API tokens. */
  readonly signIn: SignIn | undefined;
  /** Whether service administrators may create tokens for other users. */
  readonly impersonation: boolean;
  /** Whether it serves the board in the browser. */
  readonly board: boolean;
  readonly guards: Guards;
  /** The limits on connections that are in force. */
  readonly connections: ConnectionLimits;
  /** The time limit of MongoDB for one query, in milliseconds. Undefined: the default of the store. */
  readonly queryTimeout: number | undefined;
}

const MAX_WORKERS = 64;

/** @throws a usage failure for invalid settings */
export async function setupOf(settings: Settings, io: Io): Promise<Setup> {
  const target = settings.target();
  if (target.kind === 'service') throw usage('serve runs its own service: use --store, not --url.');
  const port = portOf(settings);
  const workers = workersOf(settings, target.url);
  const host = settings.value('host')!;
  const isOpen = !isLoopback(host) || (trustedProxiesOf(settings) ?? []).length > 0;
  const quotas = settings.get('quotas');
  const keepChanges = settings.get('keepChanges');
  const trash = settings.get('trash');
  const connections = connectionOptionsOf(settings);
  // Imported here, so that other commands do not load code that only a service needs.
  const { connectionLimits } = await import('../../adapters/http/index.ts');
  return {
    store: target.url,
    fileMode: fileModeOf(settings),
    host,
    port,
    basePath: basePathOf(settings),
    workers,
    logger: await loggerFor(io, logLevelOf(settings), workers > 1),
    adminEmail: adminEmailOf(settings),
    quotas: quotas === undefined ? {} : parseQuotas(quotas.value, quotas.from),
    keepChanges: keepChanges === undefined ? undefined : parseKeepChanges(keepChanges.value, keepChanges.from),
    trashSeconds: trash === undefined ? undefined : parseDuration(trash.value, trash.from, MAX_TRASH_SECONDS),
    isOpen,
    signIn: await signInOf(settings, io),
    impersonation: !switchOf(settings, 'noImpersonation'),
    board: isBoardServed(settings, isOpen),
    guards: { ...guardsOf(settings, isOpen), ...connections },
    connections: connectionLimits(connections),
    queryTimeout: measured(settings, 'queryTimeout'),
  };
}

function isBoardServed(settings: Settings, isOpen: boolean): boolean {
  const [on, off] = [switchOf(settings, 'board'), switchOf(settings, 'noBoard')];
  if (on && off) return takesPrecedence(settings.get('board')!, settings.get('noBoard')!);
  return on || (!off && !isOpen);
}

export function logLevelOf(settings: Settings): LogLevel {
  const { value, from } = settings.get('logLevel')!;
  const level = LOG_LEVELS.find((one) => one === value);
  if (level === undefined) throw usage(`${from} must be ${LOG_LEVELS.join(', ')}, not ${JSON.stringify(value)}.`);
  return level;
}

export function adminEmailOf(settings: Settings): string {
  const { value, from } = settings.get('adminEmail')!;
  if (!isEmail(value)) throw usage(`${from} must be an e-mail address, not ${JSON.stringify(value)}.`);
  return value;
}

export function portOf(settings: Settings): number {
  const { value, from } = settings.get('port')!;
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) throw usage(`${from} must be a port from 0 to 65535, not ${value}.`);
  return port;
}

export function basePathOf(settings: Settings): string {
  const { value, from } = settings.get('basePath') ?? { value: '', from: '' };
  if (!isBasePath(value)) throw usage(`${from} must be ${BASE_PATH_FORM}, not ${JSON.stringify(value)}.`);
  return value;
}

export function workersOf(settings: Settings, store: string): number {
  const { value, from } = settings.get('workers')!;
  const workers = Number(value);
  if (!/^[1-9]\d?$/.test(value) || workers > MAX_WORKERS) {
    throw usage(`${from} must be a whole number from 1 to ${MAX_WORKERS}, not ${value}.`);
  }
  if (workers > 1 && store === 'memory:') {
    throw usage(
      `A memory store has only one process, but ${from} asks for ${workers}.`,
      'Use --store file:PATH, or --workers 1.',
    );
  }
  return workers;
}
