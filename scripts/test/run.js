// Runs all tests in four mocha processes side by side: those that stop members of MongoDB clusters of their own and
// mostly wait for elections, two that each share one cluster and mostly wait for it, and the rest, three files at once,
// as many of them wait for other processes. Prints dots as tests end, then the report of each process, then the totals.
import { spawn } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';

const WITH_OWN_CLUSTER = 'dist/test/stores/mongodb/faults/*.test.js';
/** About half of the time of {@link WITH_CLUSTER}. */
const WITH_SECOND_CLUSTER = ['dist/test/stores/mongodb/{connection,job}/*.test.js'];
/** Every file that uses `fixtures/mongodb/mongodb.ts`: the files of one process share its cluster. */
const WITH_CLUSTER = [
  'dist/test/stores/{mongodb,older-stores}/**/*.test.js',
  'dist/test/stores/many-assignments.test.js',
  'dist/test/edges/quotas/*.test.js',
];
/** Each file once: whole folders in the order in which they start, those with long files first. */
const REST = [
  'dist/test/proofs/**/*.test.js',
  'dist/test/edges/**/*.test.js',
  'dist/{bench,test/!(proofs|edges)}/**/*.test.js',
];
/**
 * How much each process lowers its priority: those that mostly wait for a database would end last if the rest took the
 * cores from them.
 */
const GROUPS = [
  { nice: 0, files: specs([WITH_OWN_CLUSTER]) },
  { nice: 0, files: specs(WITH_SECOND_CLUSTER) },
  { nice: 0, files: [...specs(WITH_CLUSTER), ...ignored([WITH_OWN_CLUSTER, ...WITH_SECOND_CLUSTER])] },
  { nice: 3, files: [...specs(REST), ...ignored(WITH_CLUSTER), '--parallel', '--jobs', '3'] },
];
/**
 * Of each process: garbage is collected in one thread, and less often, which takes less processor time. The other cores
 * have processes of their own.
 */
const NODE_OPTIONS = ['--single-threaded-gc', '--max-semi-space-size=32'];
const FIRST_TOTAL = /^ +\d+ passing/m;

const results = await Promise.all(GROUPS.map(run));
for (const { report } of results) process.stdout.write(`\n${report}`);
const total = (word) => results.reduce((sum, { report }) => sum + countOf(report, word), 0);
process.stdout.write(`\nIn all\n\n  ${total('passing')} passing\n`);
for (const word of ['pending', 'failing']) if (total(word) > 0) process.stdout.write(`  ${total(word)} ${word}\n`);
process.exit(results.every(({ code }) => code === 0) ? 0 : 1);

function specs(files) {
  return files.flatMap((file) => ['--spec', file]);
}

function ignored(files) {
  return files.flatMap((file) => ['--ignore', file]);
}

function run({ nice, files }) {
  const child = spawn(
    process.execPath,
    [
      ...NODE_OPTIONS,
      'node_modules/mocha/bin/mocha.js',
      '--config',
      '.mocharc.json',
      ...files,
      ...process.argv.slice(2),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  // Only root may raise it again.
  if (nice > 0) setPriority(child.pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + nice));
  let report = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const ends = report !== '' || FIRST_TOTAL.test(text);
    if (ends) report += text;
    else process.stdout.write(text);
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code: report === '' ? 1 : code, report }));
  });
}

/** The first line of a report that counts tests of this kind. */
function countOf(report, word) {
  const counts = [...report.matchAll(new RegExp(`^ +(\\d+) ${word}`, 'gm'))];
  return Number(counts[0]?.[1] ?? 0);
}
