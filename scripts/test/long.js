// Runs a long test by its name: `npm run test:long -- NAME [SIZE]`. Without a name it lists them. A size other than the
// default is passed in the variable that the test reads.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

function copyKills(what, file) {
  return { what, size: ['ESPALIER_COPY_KILLS', 10], env: { ESPALIER_COPY_TASKS: '10000' }, files: [file] };
}

/** By name: a description, the variable of its size with the default, other variables, and files below dist/test. */
export const RUNS = {
  access: {
    what: 'access against the oracle, in random worlds',
    size: ['ESPALIER_WORLDS', 100_000],
    files: ['proofs/property/access', 'proofs/property/own-actions', 'proofs/property/coalitions'],
  },
  canary: {
    what: 'everything that the service sends back, in random sequences',
    size: ['ESPALIER_CANARIES', 1_000],
    files: ['proofs/property/no-information-leak'],
  },
  sequences: {
    what: 'sequences of 100 calls, memory and embedded alike',
    size: ['ESPALIER_STORE_SEQUENCES', 10_000],
    env: { ESPALIER_CALLS: '100' },
    files: ['proofs/property/stores-agree'],
  },
  'sequences-mongodb': {
    what: 'the same for MongoDB',
    size: ['ESPALIER_MONGODB_SEQUENCES', 1_000],
    files: ['stores/mongodb/stores-agree'],
  },
  kill: {
    what: 'a writer killed at random moments',
    size: ['ESPALIER_KILLS', 1_000],
    files: ['stores/embedded/crash/kill'],
  },
  'kill-points': {
    what: 'a writer killed at each of the first calls of a kind',
    size: ['ESPALIER_KILL_POINTS', 100],
    files: ['stores/embedded/crash/kill'],
  },
  removals: {
    what: 'removals in steps among random writes, compared with a model',
    size: ['ESPALIER_REMOVALS', 1_000],
    files: ['proofs/property/removals'],
  },
  trash: {
    what: 'what is deleted, restored and purged in any order, in random worlds',
    size: ['ESPALIER_TRASH_WORLDS', 1_000],
    files: ['unit/core/trash/trash'],
  },
  'power-cut': {
    what: 'the power cut at random moments',
    size: ['ESPALIER_POWER_CUTS', 1_000],
    files: ['stores/embedded/crash/power-loss'],
  },
  processes: {
    what: 'four processes with 32 clients on one file, so many changes each',
    size: ['ESPALIER_STEPS', 10_000],
    files: ['stores/embedded/processes'],
  },
  late: {
    what: 'readers who follow through the service of another process, on one file, while others write',
    size: ['ESPALIER_LATE', 100],
    files: ['stores/embedded/changes'],
  },
  'late-mongodb': {
    what: 'the same on MongoDB, through another connection',
    size: ['ESPALIER_MONGODB_LATE', 100],
    files: ['stores/mongodb/changes'],
  },
  'board-cut': {
    what: 'the board in a browser, its network cut for so many seconds',
    size: ['ESPALIER_BOARD_CUT', 30],
    files: ['edges/board/lost-network'],
  },
  retries: {
    what: 'requests sent again, the service killed meanwhile',
    size: ['ESPALIER_RETRIES', 10_000],
    files: ['edges/http/crash/retries'],
  },
  workers: {
    what: 'rounds of each fault of a service of workers',
    size: ['ESPALIER_WORKER_FAULTS', 300],
    files: ['edges/cli/serve/worker-faults'],
  },
  faults: {
    what: 'faults of a MongoDB cluster under load',
    size: ['ESPALIER_FAULTS', 30],
    files: ['stores/mongodb/faults/faults'],
  },
  'stream-failovers': {
    what: 'streams of changes while the primary of a MongoDB cluster is killed',
    size: ['ESPALIER_FAILOVERS', 30],
    files: ['stores/mongodb/faults/stream-failover'],
  },
  'large-failovers': {
    what: 'changes of 1,000 tasks, restores and copies while the primary of a MongoDB cluster is lost',
    size: ['ESPALIER_LARGE_FAILOVERS', 30],
    env: { ESPALIER_LARGE_TASKS: '1000' },
    files: ['stores/mongodb/faults/large-failover'],
  },
  'stream-kills': {
    what: 'streams of changes while the workers of a service are killed, and its other faults',
    size: ['ESPALIER_WORKER_FAULTS', 100],
    files: ['edges/cli/serve/worker-faults'],
  },
  'job-kills': {
    what: 'processes on MongoDB killed in the middle of each kind of job',
    size: ['ESPALIER_JOB_KILLS', 100],
    files: ['stores/mongodb/job/kills'],
  },
  'copy-kills': copyKills(
    'processes killed while they copy a board of 10,000 tasks, on a file',
    'stores/embedded/crash/copies',
  ),
  'copy-kills-mongodb': copyKills('the same on MongoDB', 'stores/mongodb/job/copies'),
  'copy-kills-workers': copyKills(
    'services of workers killed while they copy a board of 10,000 tasks',
    'edges/cli/serve/copies',
  ),
  assignments: {
    what: 'a member leaves who is assigned to so many tasks, on each store, a process killed meanwhile; tells figures',
    size: ['ESPALIER_ASSIGNMENTS', 100_000],
    files: ['stores/many-assignments'],
  },
  'transaction-size': {
    what: 'documents of each transaction of requests that concern so many tasks and pages, on MongoDB',
    size: ['ESPALIER_GROWING', 20_000],
    files: ['stores/mongodb/command/transaction-size'],
  },
  histories: {
    what: 'recorded histories, in memory and on one file',
    size: ['ESPALIER_HISTORIES', 200],
    files: ['proofs/history/history'],
  },
  'histories-mongodb': {
    what: 'recorded histories of two processes on MongoDB',
    size: ['ESPALIER_HISTORIES', 200],
    files: ['stores/mongodb/history'],
  },
  contract: {
    what: 'the store contract, so many random runs of each test',
    size: ['ESPALIER_RUNS', 1_000],
    files: ['stores/memory/store'],
  },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [name, size] = process.argv.slice(2);
  const run = name !== undefined && Object.hasOwn(RUNS, name) ? RUNS[name] : undefined;
  if (run === undefined) {
    const lines = Object.entries(RUNS).map(
      ([
        each,
        {
          what,
          size: [, most],
        },
      ]) => `  ${each.padEnd(18)} ${what} (${most})`,
    );
    console.error(`npm run test:long -- NAME [SIZE]\n\n${lines.join('\n')}`);
    process.exit(2);
  }
  const [variable, most] = run.size;
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/mocha/bin/mocha.js',
      '--no-config',
      '--exit',
      '-t',
      '0',
      ...run.files.map((file) => `dist/test/${file}.test.js`),
    ],
    { stdio: 'inherit', env: { ...process.env, ...run.env, [variable]: size ?? String(most) } },
  );
  process.exit(status ?? 1);
}
