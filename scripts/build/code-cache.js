// Keeps what V8 makes of the parts, after commands have run: then what they call is compiled as well.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [outdir, program] = process.argv.slice(2);
const load = createRequire(resolve(outdir, 'here.js'));
const { script, codeFile } = load('./parts.js');
const { run } = load(`./${program}`);

const folder = mkdtempSync(join(tmpdir(), 'espalier-build-'));
try {
  for (const line of [
    ['user', 'create', '--name', 'Ada', '--email', 'ada@example.org'],
    ['workspace', 'create', '--name', 'Acme'],
    ['board', 'create', '--name', 'Dev'],
    ['status', 'create', '--board', 'Dev', '--name', 'Todo'],
    ['task', 'create', '--board', 'Dev', '--title', 'Build'],
    ['task', 'show', '#1'],
    ['task', 'show', '#1', '--json'],
  ]) {
    const said = [];
    const screen = { write: (text) => said.push(text) };
    const env = { ESPALIER_STORE: `file:${folder}/store.db`, XDG_CONFIG_HOME: folder };
    if (line[0] !== 'user') env.ESPALIER_AS = 'ada@example.org';
    const io = { stdout: screen, stderr: screen, stdin: [], env, cwd: folder, stop: new AbortController().signal };
    if ((await run(line, io)) !== 0) throw new Error(`espalier ${line.join(' ')}: ${said.join('')}`);
  }
  writeFileSync(codeFile, script.createCachedData());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
