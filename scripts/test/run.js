// Runs all tests in two processes side by side: those that wait for MongoDB most of the time, and the rest.
// Prints dots as they come, then what each process reports, then the totals of both.
import { spawn } from 'node:child_process';

const WITH_MONGODB = 'dist/test/stores/{mongodb,older-stores}/**/*.test.js';
const GROUPS = [
  ['--spec', WITH_MONGODB],
  ['--spec', 'dist/{test,bench}/**/*.test.js', '--ignore', WITH_MONGODB],
];
const FIRST_TOTAL = /^ +\d+ passing/m;

const results = await Promise.all(GROUPS.map(run));
for (const { report } of results) process.stdout.write(`\n${report}`);
const total = (word) => results.reduce((sum, { report }) => sum + countOf(report, word), 0);
process.stdout.write(`\nIn all\n\n  ${total('passing')} passing\n`);
for (const word of ['pending', 'failing']) if (total(word) > 0) process.stdout.write(`  ${total(word)} ${word}\n`);
process.exit(results.every(({ code }) => code === 0) ? 0 : 1);

function run(files) {
  const child = spawn(
    process.execPath,
    ['node_modules/mocha/bin/mocha.js', '--config', '.mocharc.json', ...files, ...process.argv.slice(2)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
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

/** The last line of a report that counts tests of this kind. */
function countOf(report, word) {
  const counts = [...report.matchAll(new RegExp(`^ +(\\d+) ${word}`, 'gm'))];
  return Number(counts[0]?.[1] ?? 0);
}
