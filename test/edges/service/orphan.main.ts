import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '../../../adapters/service/cluster/end-with-parent.ts';

/** `node orphan.main.js parent|child idle|'held up'`: a process, and one that it has started and that is to end with it. */
const [role, how = ''] = process.argv.slice(2);

if (role === 'parent') {
  fork(fileURLToPath(import.meta.url), ['child', how], { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
} else {
  const logger = { info() {}, error() {} };
  await endWithParent(logger, () => false);
  process.on('message', () => {});
  process.stdout.write('ready\n');
  if (how === 'held up') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
