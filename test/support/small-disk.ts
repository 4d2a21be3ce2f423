import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs, runs } from './available.ts';

/** A disk of a size. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves room for so many bytes, to a page. */
  fill(left: number): void;
  /** Makes room again. */
  empty(): void;
  unmount(): void;
}

/** Mounts one. Skips the test where that is not allowed. */
export function smallDisk(test: Mocha.Context, path: string, size: string): SmallDisk {
  mkdirSync(path);
  needs(test, 'the right to mount', runs('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'espalier-test', path));
  const ballast = join(path, 'ballast');
  return {
    path,
    fill(left) {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount: () => void spawnSync('umount', ['-l', path]),
  };
}
