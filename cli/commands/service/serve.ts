import { whenAborted } from '../../../adapters/event-loop/when-aborted.ts';
import { withoutPassword } from '../../../adapters/service/store-url.ts';
import type { Espalier } from '../../../adapters/service/espalier.ts';
import { someAdministrator } from '../../../adapters/service/look-ups.ts';
import type { User } from '../../../core/model/user/user.ts';
import { storeTrashSeconds } from '../../../core/trash/retention.ts';
import type { QuotaLimits } from '../../../core/service/quotas.ts';
import type { CommandCall } from '../../call.ts';
import { fileToLoad, type LoadResult } from '../../import/load.ts';
import { FILE_MODE } from '../../config/file-mode-option.ts';
import { SETTING_NAMES, SETTINGS, type Settings } from '../../config/settings.ts';
import { SWITCH_WORDS } from '../../config/switch.ts';
import type { Exit } from '../../io/exit-codes.ts';
import { Failure } from '../../io/failure.ts';
import { connectionLine } from '../../service/connection-options.ts';
import { limitLines, settleQuotas } from '../../service/limits-in-force.ts';
import { firstAdministrator, type FirstAdministrator } from '../../service/first-start.ts';
import { LOG_LEVELS } from '../../service/logger.ts';
import { setupOf, type Setup } from '../../service/service-options.ts';
import { option, settingOption, type OptionValues } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';
import { lines } from '../../io/safe-text.ts';

const LOAD = option('--load <file>', 'import this file at startup: a Trello board or an exported workspace');

const OPTIONS = [
  settingOption('host', '<address>', 'address to listen on'),
  settingOption('port', '<number>', 'port to listen on; 0 picks a free one'),
  settingOption('basePath', '<path>', 'what the paths of the service begin with, such as /tracker behind a proxy'),
  settingOption('workers', '<number>', 'number of worker processes, 1 to 64; one per core to use'),
  FILE_MODE,
  settingOption('adminEmail', '<email>', 'e-mail of the first administrator'),
  LOAD,
  settingOption('requireIfMatch', '', 'refuse changes without the version they apply to; this CLI always sends it'),
  settingOption('requestsPerMinute', '<number>', 'requests per user before 429; none: unlimited'),
  settingOption('failuresPerMinute', '<number>', '401s per address before 429'),
  settingOption('unknownInvitationsPerMinute', '<number>', 'failed lookups per caller or address before 429'),
  settingOption('maxConnections', '<number>', 'open connections per worker before 503'),
  settingOption('stallTimeout', '<seconds>', 'close a connection when its client reads nothing for this long'),
  settingOption('unreadLimit', '<mebibytes>', 'total unread response data before a connection is closed'),
  settingOption('queryTimeout', '<seconds>', 'time limit of a MongoDB query before 503'),
  settingOption('noCompression', '', 'disable compression'),
  settingOption('board', '', 'serve the browser board, /board, also beyond loopback and behind a proxy'),
  settingOption('noBoard', '', 'do not serve the browser board'),
  settingOption(
    'trustedProxies',
    '<addresses>',
    'trust X-Forwarded-For from these; default limits then apply, as beyond loopback',
  ),
  settingOption('quotas', '<list>', 'quotas of the store, such as tasks=10000,depth=none, for every process on it'),
  settingOption(
    'keepChanges',
    '<bounds>',
    'how long (s, m, h, d) and how many changes to keep, such as 30d,1000000, or forever; for every process on the store',
  ),
  settingOption(
    'trash',
    '<time>',
    'how long the trash keeps items, such as 30d (s, m, h, d); 0 turns it off; stored for every process on the store; default: 30d',
  ),
  settingOption('noImpersonation', '', 'do not let service administrators create tokens for others'),
  settingOption('corsOrigins', '<origins>', 'origins allowed in browsers, or *'),
  settingOption('jwtIssuer', '<issuer>', 'accept JSON Web Tokens of this issuer (iss)'),
  settingOption('jwtAudience', '<names>', 'accepted audiences (aud), comma-separated'),
  settingOption('jwtJwksUrl', '<url>', 'URL of the keys; default: OpenID Connect discovery from the issuer'),
  settingOption('jwtJwksFile', '<file>', 'file with the keys, instead of a URL'),
  settingOption(
    'jwtSecretFile',
    '<file>',
    'file with a secret shared with the issuer, instead of keys; or set ESPALIER_JWT_SECRET',
  ),
  settingOption('jwtAlgorithms', '<names>', 'accepted algorithms; default: all asymmetric ones, HS256 with a secret'),
  settingOption('jwtClockTolerance', '<seconds>', 'allowed clock difference, 0 to 300; default: 30'),
  settingOption('jwtLinkVerifiedEmail', '', 'sign in existing users by an e-mail address that the issuer has verified'),
  settingOption('logLevel', '<level>', 'minimum level to log to stderr', { choices: LOG_LEVELS }),
];

export const serve: Noun = {
  name: 'serve',
  summary: 'run the HTTP service',
  verbs: [
    verb({
      name: '',
      summary:
        'Run the HTTP service on a store. The first start on an empty store creates a service administrator and prints their token once.',
      options: OPTIONS,
      details: [SWITCH_WORDS],
      examples: [
        'serve',
        'serve --store file:/var/lib/espalier.db --admin-email ada@example.org',
        'serve --store file:/var/lib/espalier.db --workers 4',
        'serve --store memory: --load board.json --port 0 --json',
        'serve --jwt-issuer https://login.example.org --jwt-audience https://tasks.example.org',
      ],
      moreFields: [
        'url',
        'reference',
        'board',
        'store',
        'isNewStore',
        'administrator',
        'loaded',
        'limits',
        'connections',
        'quotas',
      ],
      makesStore: true,
      stopsItself: true,
      run,
    }),
  ],
};

/** The values that the start prints. */
interface StartReport {
  readonly setup: Setup;
  readonly quotas: QuotaLimits;
  readonly isNew: boolean;
  /** An administrator who existed before the start. */
  readonly known: User | undefined;
}

/** A running service: this process, or its workers. */
interface RunningService {
  readonly url: string | null;
  /** Rejects if it cannot go on. */
  readonly failed?: Promise<never>;
  close(): Promise<void>;
}

async function run(call: CommandCall<OptionValues<[typeof LOAD]>>): Promise<void> {
  const { settings, io } = call;
  const setup = await setupOf(settings, io);
  const file = call.options.load;
  // The file is read first: if it cannot be loaded, no store is created.
  const load = file === undefined ? null : await fileToLoad(call, file);
  const { composeFor } = await import('../../service/compose-service.ts');
  const { espalier, made, listen } = await composeFor(setup, io.cwd);
  try {
    const quotas = await settleQuotas(espalier, setup);
    if (setup.trashSeconds !== undefined) await storeTrashSeconds(espalier.store, setup.trashSeconds);
    const first = await firstAdministrator(espalier, setup.adminEmail);
    const known = first === null ? await someAdministrator(espalier) : undefined;
    const start = async (): Promise<{ readonly loaded: LoadResult | null; readonly served: RunningService }> => {
      const loaded = load === null ? null : await load(espalier);
      return { loaded, served: setup.workers === 1 ? await listen() : await serveInWorkers(call, setup, espalier) };
    };
    const { loaded, served } = await start().catch((error: unknown) => {
      // The next start finds an administrator on the store, and makes no token.
      if (first !== null && setup.store !== 'memory:') {
        io.stderr.write(lines(administratorLines(first)));
      }
      throw error;
    });
    try {
      show(call, served.url, { setup, quotas, isNew: made !== null, known }, first, loaded);
      await Promise.race([whenAborted(io.stop), ...(served.failed === undefined ? [] : [served.failed])]);
    } finally {
      await served.close();
    }
  } finally {
    await espalier.close();
  }
}

async function serveInWorkers(
  { settings, io }: CommandCall,
  setup: Setup,
  espalier: Espalier,
): Promise<RunningService> {
  // Each worker opens the store itself.
  await espalier.close();
  const { startWorkers } = await import('../../../adapters/service/cluster/index.ts');
  return startWorkers({
    workers: setup.workers,
    port: setup.port,
    logger: setup.logger,
    settings: environmentOf(settings, setup),
    stop: io.stop,
    writers: writersOf(setup),
    failure: ({ exit, message, hints }) => new Failure(exit as Exit, message, hints),
  });
}

/**
 * The number of workers that write for the others: one on the embedded store, to which one process writes at a time,
 * elsewhere all of them. On Windows none, as no socket is private to a user.
 */
function writersOf({ store, workers }: Pick<Setup, 'store' | 'workers'>): number {
  if (process.platform === 'win32') return 0;
  return store.startsWith('file:') ? 1 : workers;
}

function show(
  { out }: CommandCall,
  url: string | null,
  { setup, quotas, isNew, known }: StartReport,
  administrator: FirstAdministrator | null,
  loaded: LoadResult | null,
): void {
  const reference = url === null ? null : `${url}/api/docs`;
  const board = url === null || !setup.board ? null : `${url}/board`;
  // A fragment is not sent to the service. The page takes it out of the address.
  const signedIn = administrator === null ? '' : `#token=${administrator.token}`;
  const store = withoutPassword(setup.store);
  const { limits = {} } = setup.guards;
  const { connections } = setup;
  out.show(
    { url, reference, board, store, isNewStore: isNew, administrator, loaded, limits, connections, quotas },
    () =>
      lines([
        ...(url === null ? [] : [`Espalier listens on ${url}`, `Its reference is at ${reference}`]),
        ...(board === null ? [] : [`Its board is at ${board}${signedIn}`]),
        setup.store === 'memory:'
          ? 'The store is in memory: nothing is kept when the service stops. Use --store file:PATH to keep it.'
          : `The store is ${store}${isNew ? ', made for this start' : ''}`,
        ...limitLines(limits, quotas),
        ...(setup.isOpen ? [connectionLine(connections)] : []),
        ...(loaded === null
          ? []
          : [`Loaded ${loaded.name} into workspace ${loaded.workspace} (${loaded.workspaceId})`]),
        ...(loaded === null || loaded.notes.length === 0
          ? []
          : ['Some of it was changed or left out. See what and why: espalier import trello FILE --dry-run']),
        ...(administrator === null ? [] : administratorLines(administrator)),
        // Explains how to make a new token, as the first one may be lost.
        ...(known === undefined
          ? []
          : [`For another token: espalier token create --store ${store} --user ${known.email} --name NAME`]),
      ]),
  );
}

function administratorLines({ email, token }: FirstAdministrator): readonly string[] {
  return [`Administrator: ${email}`, `Token, shown this once: ${token}`];
}

/**
 * All settings as environment variables for the workers, so that a later change of the profile does not affect them.
 */
function environmentOf(
  settings: Settings,
  { board, signIn }: Pick<Setup, 'board' | 'signIn'>,
): Readonly<Record<string, string>> {
  const set = SETTING_NAMES.map((name) => [SETTINGS[name].env, settings.value(name) ?? '']);
  // Both variables are set, as neither takes precedence over the other in the environment.
  const one = { [SETTINGS.board.env]: String(board), [SETTINGS.noBoard.env]: String(!board) };
  // The secret itself, so that all workers use the same one: its file may be a pipe, or be replaced later.
  const secret = signIn?.secret !== undefined && {
    [SETTINGS.jwtSecret.env]: signIn.secret,
    [SETTINGS.jwtSecretFile.env]: '',
  };
  return { ...Object.fromEntries(set), ...one, ...secret, [SETTINGS.url.env]: '' };
}
