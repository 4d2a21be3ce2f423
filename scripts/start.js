// Runs the service from a copy of the program that was just built: a later build, such as that of `npm test`, would
// otherwise remove files that the service loads later. Arguments go to `espalier serve`.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const copies = join(root, '.running');
const own = join(copies, String(process.pid));

mkdirSync(copies, { recursive: true });
for (const pid of readdirSync(copies)) if (!isAlive(Number(pid))) rmSync(join(copies, pid), { recursive: true });
cpSync(join(root, 'dist', 'bin'), own, { recursive: true });
process.on('exit', () => rmSync(own, { recursive: true, force: true }));

const program = join(own, 'espalier.js');
process.argv.splice(1, 1, program, 'serve');
await import(pathToFileURL(program).href);

/** Whether a copy is still in use. Copies of killed processes are left over. */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
