// The configuration that scripts/mutation/mutate.sh gives to Stryker: the code that is mutated in each area, and the
// tests that must notice. Tests that kill many mutants and are fast come first; the run of a mutant ends with the first
// test that fails.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

const CORE =
  'access/access access/access-explain access/actions page/pages page/page-create page/page-order page/page-delete workspace/invitations workspace/invitation-pages workspace/members workspace/leaving task/boards task/tasks task/task-boards workspace/workspaces workspace/imports';

// Tests that run both in process and through a socket run only in process here: that covers nearly the same code in
// half the time. Tests that go through all operations are left out, as they reveal little about a check that the
// operations share.
const IN_PROCESS = '^(?!.*(through a socket|looks as if it did not exist|answered alike))';

export const AREAS = {
  access: {
    mutate: inside('core/access'),
    tests: [...at('unit/core', CORE), ...at('proofs/property', 'access own-actions')],
  },
  page: {
    mutate: inside('core/page'),
    tests: [...at('unit/core', `${CORE} versions check-order page/purge`), ...at('proofs/property', 'own-actions')],
  },
  invitation: {
    mutate: inside('core/invitation'),
    tests: at('unit/core', `${CORE} workspace/users versions check-order`),
  },
  // The code that reads a request, each part of which has tests of its own.
  request: {
    mutate: [
      ...at('adapters/http/request', 'address body idempotency input query'),
      ...at('adapters/http/response', 'conditional cross-origin negotiation'),
    ],
    tests: at(
      'edges/http',
      'request/address response/conditional response/negotiation request/query request/input request/body request/headers response/cross-origin limits/limits',
    ),
    grep: '^(the (address|network)|an entity tag|If-|the Accept|a query|the input|the key|a body|headers (name|carry)|where a|pages of .*in process)',
  },
  // The steps that a request passes, in order.
  http: {
    mutate: [
      ...at('adapters/http', 'app operation-handler limits/limits'),
      ...at('adapters/http/request', 'authentication request-context request-timeout signed-in'),
    ],
    tests: at(
      'edges/http',
      'request/headers limits/limits limits/guess-limits response/errors sign-in/tokens request/order request/idempotency response/paging request/body service/service service/malformed-requests transfer/audit service/metrics request/preconditions transfer/transfer transfer/cut-off-transfer',
    ),
    grep: IN_PROCESS,
  },
  // The code that identifies the user of a bearer token.
  identity: {
    mutate: [...inside('adapters/identity/jwt'), ...at('adapters/identity', 'any-of api-tokens bearer')],
    tests: [
      ...at('edges/identity', 'jwt jwt-settings jwt-keys any-of'),
      ...at('edges/http', 'sign-in/tokens sign-in/jwt'),
    ],
    grep: IN_PROCESS,
  },
};

function at(folder, names) {
  return names.split(' ').map((name) => `${folder}/${name}`);
}

function inside(folder) {
  return readdirSync(folder).map((file) => `${folder}/${basename(file, '.ts')}`);
}

/**
 * Functions by the position of an argument that is text for people. Tests assert codes, so mutants of such texts are
 * ignored.
 */
const SAYING = {
  badRequest: 0,
  conflict: 1,
  EspalierError: 1,
  Error: 0,
  error: 1,
  forbidden: 0,
  info: 1,
  invalid: 1,
  refused: 0,
  Refusal: 1,
  tagsOf: 0,
  TypeError: 0,
  wrong: 1,
};

function isDetail({ node, parent, key, listKey, parentPath }) {
  if (node.type !== 'StringLiteral' && node.type !== 'TemplateLiteral') return false;
  if (parent.type === 'ConditionalExpression') return isDetail({ ...parentPath, node });
  if (parent.type === 'ObjectProperty') return key === 'value' && parent.key.name === 'detail';
  if (parent.type === 'ReturnStatement') return parentPath.findParent(isFunction)?.node.id?.name === 'reasonOf';
  if (listKey !== 'arguments') return false;
  const { callee } = parent;
  return SAYING[callee.name ?? callee.property?.name] === key;
}

function isFunction(path) {
  return path.node.type === 'FunctionDeclaration';
}

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'details',
    value: { shouldIgnore: (path) => (isDetail(path) ? 'a text for people' : undefined) },
  },
];

const area = process.env.ESPALIER_AREA ?? 'access';
const { mutate, tests, grep = '' } = AREAS[area];
const sources = mutate.map((path) => `${path}.ts`);

export default {
  testRunner: 'mocha',
  mochaOptions: { 'no-config': true, ...(grep && { grep }), spec: tests.map((name) => `dist/test/${name}.test.js`) },
  // All mutants are built in at once, and switched on one by one. Only the mutated files are compiled anew.
  buildCommand: `node scripts/build/strip-types.js ${sources.join(' ')}`,
  mutate: sources,
  plugins: ['@stryker-mutator/mocha-runner', './scripts/mutation/mutation.js'],
  ignorers: ['details'],
  ignorePatterns: ['coverage', 'docs', 'dist/bin'],
  disableTypeChecks: false,
  // Otherwise Stryker would read tsconfig.json with a compiler of its own.
  tsconfigFile: 'none',
  tempDirName: `coverage/mutation/${area}-tmp`,
  concurrency: 1,
  timeoutMS: 10_000,
  allowConsoleColors: false,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  jsonReporter: { fileName: `coverage/mutation/${area}.json` },
};
