import { Failure, usage } from '../failure.ts';
import { loadInto } from '../import/load.ts';
import { openStoreAt } from '../connection.ts';
import type { Call } from '../call.ts';
import { quotasOf } from '../quotas.ts';
import { SETTINGS } from '../settings.ts';
import { firstAdministrator } from '../service/first-start.ts';
import { guardsOf } from '../service/guards.ts';
import { loggerFor } from '../service/logger.ts';
import { signInOf } from '../service/sign-in.ts';
import { withoutPassword } from '../service/store-url.ts';
import { option, type Noun } from '../verb.ts';

export const serve: Noun = {
  name: 'serve',
  summary: 'run the HTTP service',
  verbs: [
    {
      name: '',
      summary:
        'Run the HTTP service on a store. The first start on an empty store creates a service administrator and prints a token for them, once.',
      options: [
        option('--host <address>', `address to listen on (ESPALIER_HOST, default ${SETTINGS.host.default})`),
        option(
          '--port <number>',
          `port to listen on, 0 for any free one (ESPALIER_PORT, default ${SETTINGS.port.default})`,
        ),
        option('--admin-email <email>', 'who the first administrator is (ESPALIER_ADMIN_EMAIL)'),
        option('--load <file>', "import this file at the start: a Trello board or an export of the project's own"),
        option(
          '--require-if-match',
          'refuse changes that do not say which version they change; this CLI says it by itself (ESPALIER_REQUIRE_IF_MATCH)',
        ),
        option('--requests-per-minute <number>', 'of one caller, before 429 (ESPALIER_REQUESTS_PER_MINUTE)'),
        option('--failures-per-minute <number>', '401s of one address, before 429 (ESPALIER_FAILURES_PER_MINUTE)'),
        option(
          '--unknown-invitations-per-minute <number>',
          'looked up in vain by one caller or address, before 429 (ESPALIER_UNKNOWN_INVITATIONS_PER_MINUTE)',
        ),
        option('--trusted-proxies <addresses>', 'whose X-Forwarded-For counts (ESPALIER_TRUSTED_PROXIES)'),
        option('--quotas <list>', 'how much there may be at most, like tasks=10000,depth=8 (ESPALIER_QUOTAS)'),
        option('--cors-origins <origins>', 'pages that may call from browsers, or * (ESPALIER_CORS_ORIGINS)'),
        option('--jwt-issuer <issuer>', 'whose JSON Web Tokens sign in, as in iss (ESPALIER_JWT_ISSUER)'),
        option('--jwt-audience <names>', 'whom they are for, as in aud, joined by commas (ESPALIER_JWT_AUDIENCE)'),
        option(
          '--jwt-jwks-url <url>',
          'where the keys are; default: where the issuer says, by OpenID Connect discovery (ESPALIER_JWT_JWKS_URL)',
        ),
        option('--jwt-jwks-file <file>', 'a file with the keys in place of that (ESPALIER_JWT_JWKS_FILE)'),
        option(
          '--jwt-secret-file <file>',
          'a file with a secret shared with the issuer in place of keys (ESPALIER_JWT_SECRET_FILE; the secret itself: ESPALIER_JWT_SECRET)',
        ),
        option(
          '--jwt-algorithms <names>',
          'how they may be signed; default: every asymmetric one, HS256 with a secret (ESPALIER_JWT_ALGORITHMS)',
        ),
        option(
          '--jwt-clock-tolerance <seconds>',
          'how far clocks may differ, 0 to 300 (ESPALIER_JWT_CLOCK_TOLERANCE, default 30)',
        ),
        option(
          '--jwt-link-verified-email',
          'sign in who is a user already by an e-mail address that the issuer has verified (ESPALIER_JWT_LINK_VERIFIED_EMAIL)',
        ),
        option('--log-level <level>', 'least level of what is logged on stderr (ESPALIER_LOG_LEVEL, default info)', {
          choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        }),
      ],
      examples: [
        'serve',
        'serve --store file:/var/lib/espalier.db --admin-email ada@example.org',
        'serve --store memory: --load board.json --port 0 --json',
        'serve --jwt-issuer https://login.example.org --jwt-audience https://tasks.example.org',
      ],
      stopsItself: true,
      run,
    },
  ],
};

async function run(call: Call): Promise<void> {
  const target = call.settings.target();
  if (target.kind === 'service') throw usage('serve runs a service of its own: name a store, not --url.');
  const port = portOf(call);
  const logger = await loggerFor(call.io, call.settings.value('logLevel')!);
  const quotas = quotasOf(call.settings);
  const identity = await signInOf(call.settings, call.io.cwd);
  const { createEspalier } = await import('../../adapters/container/index.ts');
  const { createMetrics, startService } = await import('../../adapters/http/index.ts');
  const metrics = createMetrics();
  const opened = await openStoreAt(target.url, call.io.cwd);
  const espalier = createEspalier({
    store: metrics.watchStore(opened),
    ...(quotas && { quotas }),
    ...(identity && { identity }),
  });
  try {
    const first = await firstAdministrator(espalier, call.settings.value('adminEmail')!);
    const file = call.text('load');
    const loaded = file === undefined ? null : await loadInto(espalier, call, file);
    const host = call.settings.value('host')!;
    const ready = () => espalier.store.ready();
    const guards = guardsOf(call.settings);
    const { limiter } = opened;
    const service = await startService({
      engine: espalier.engine,
      identity: espalier.identity,
      ready,
      host,
      port,
      logger,
      metrics,
      ...guards,
      ...(limiter && { limiter }),
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new Failure('failed', `Port ${port} of ${host} is taken (EADDRINUSE).`, [
        'Choose another with --port, 0 for any free one.',
      ]);
    });
    const reference = `${service.url}/api/docs`;
    const store = withoutPassword(target.url);
    call.out.show({ url: service.url, reference, store, administrator: first, loaded }, () =>
      [
        `Espalier listens on ${service.url}`,
        `Its reference is at ${reference}`,
        target.url === 'memory:'
          ? 'The store is in memory: nothing is kept when the service stops. Use --store file:PATH to keep it.'
          : `The store is ${store}`,
        ...(loaded === null
          ? []
          : [`Loaded ${loaded.name} into workspace ${loaded.workspace} (${loaded.workspaceId})`]),
        ...(first === null ? [] : [`Administrator: ${first.email}`, `Token, shown this once: ${first.token}`]),
        '',
      ].join('\n'),
    );
    await stopAsked(call);
    await service.close();
  } finally {
    await espalier.close();
  }
}

function portOf(call: Call): number {
  const { value, from } = call.settings.get('port')!;
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) throw usage(`${from} must be a port from 0 to 65535, not ${value}.`);
  return port;
}

function stopAsked({ io: { stop } }: Call): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
}
