import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { sampleService } from '../../fixtures/world/sample.ts';
import { cliDirectory } from '../cli/in-process.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The commands of the program on the page, each with what it is shown to print. */
function commandsIn(text: string): (readonly [words: string[], printed: string])[] {
  const blocks = [...text.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block]) => block!);
  return blocks
    .flatMap((block) => block.split(/^\$ /m))
    .filter((part) => part.startsWith('npx espalier '))
    .map((part) => {
      const end = part.indexOf('\n');
      const words = part.slice('npx espalier '.length, end).split(' ');
      return [words, part.slice(end + 1).trimEnd()] as const;
    });
}

describe('README.md', () => {
  it('shows what its commands print, on the sample that it starts with', async function () {
    this.timeout(60_000);
    const service = await sampleService();
    const here = await cliDirectory();
    Object.assign(here.env, { ESPALIER_URL: service.url, ESPALIER_TOKEN: service.token });
    try {
      const commands = commandsIn(await readFile(join(ROOT, 'README.md'), 'utf8'));
      expect(commands.map(([[noun, verb]]) => `${noun} ${verb}`)).to.deep.equal([
        'board show',
        'access explain',
        'access preview',
        'access audit',
      ]);
      for (const [words, printed] of commands) {
        const { stdout } = await here.ok(words);
        expect(stdout.trimEnd().replace(/ +$/gm, ''), words.join(' ')).to.equal(printed);
      }
    } finally {
      await here.close();
      await service.close();
    }
  });
});
