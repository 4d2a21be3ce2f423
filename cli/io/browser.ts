import { spawn } from 'node:child_process';
import type { Io } from './io.ts';

/** The command that opens an address; undefined without a display. */
function commandFor(env: Io['env'], platform: NodeJS.Platform): readonly string[] | undefined {
  if (env['BROWSER']) return [env['BROWSER']];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
}

/** Opens an address in a browser, without waiting for it. False if none could be started. */
export function openInBrowser(url: string, env: Io['env'], platform = process.platform): Promise<boolean> {
  const [command, ...args] = commandFor(env, platform) ?? [];
  if (command === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore', env });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
