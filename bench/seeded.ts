import { copyFileSync } from 'node:fs';
import { openedService, scratch } from './service.ts';
import type { Shape } from './world/shape.ts';

/** A closed file with a world in it. */
export interface Seeded {
  readonly path: string;
  /** The token of the caller of the world. */
  readonly token: string;
}

const made = new Map<string, Promise<Seeded>>();
let copies = 0;

/** The file with this world, created once in a run. It must not be changed. */
export function seeded(shape: Shape): Promise<Seeded> {
  const key = JSON.stringify(shape);
  const known = made.get(key) ?? seed(shape, scratch(`seeded-${made.size}.db`));
  made.set(key, known);
  return known;
}

/** A copy that may be changed. */
export async function copyOf(shape: Shape): Promise<Seeded> {
  const { path, token } = await seeded(shape);
  const copy = scratch(`copy-${(copies += 1)}.db`);
  copyFileSync(path, copy);
  return { path: copy, token };
}

async function seed(shape: Shape, path: string): Promise<Seeded> {
  const worker = await openedService(`file:${path}`);
  try {
    const token = await worker.call('seed', shape);
    await worker.call('close');
    return { path, token };
  } finally {
    await worker.end();
  }
}
