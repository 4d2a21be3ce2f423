import type { Settings } from '../../config/settings.ts';
import { openInBrowser } from '../../io/browser.ts';
import { safe } from '../../io/safe-text.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

export const docs: Noun = {
  name: 'docs',
  summary: 'Open the HTTP API reference.',
  verbs: [
    verb({
      name: '',
      summary:
        'Open the HTTP API reference in a browser, from the service at --url or on this machine, and print its address.',
      options: [option('--no-browser', 'only print the address')],
      examples: ['docs', 'docs --url https://tasks.example.org'],
      moreFields: ['url', 'isOpen'],
      async run(call) {
        const url = `${serviceOf(call.settings).replace(/\/+$/, '')}/api/docs`;
        const isOpen = call.options.browser !== false && (await openInBrowser(url, call.io.env));
        call.out.show({ url, isOpen }, () => safe`${url}\n`);
        if (!(await answers(url))) call.out.note('No service responds there; start one: espalier serve');
      },
    }),
  ],
};

/** The service of `--url`, or the address on which `serve` listens with the same settings. */
function serviceOf(settings: Settings): string {
  const target = settings.target();
  if (target.kind === 'service') return target.url;
  const host = settings.value('host')!;
  const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${named.includes(':') ? `[${named}]` : named}:${settings.value('port')}${settings.value('basePath') ?? ''}`;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
