import { parseArgs } from 'node:util';
import type { Scale } from './scale.ts';

export interface Options {
  readonly scale: Scale['name'];
  /** The names of parts; empty: the parts of the scale. */
  readonly only: readonly string[];
  /** Runs only one of every `of` parts: the one after `nth` others. */
  readonly share: { readonly nth: number; readonly of: number };
  /** The seconds of mixed load, instead of those of the scale. */
  readonly soak: number | null;
  /** Whether MongoDB, too, gets a workspace of a million tasks, and as many workspaces as the other stores. */
  readonly mostInMongodb: boolean;
  /** The name of a profile to take instead of measuring. */
  readonly profile: string | null;
  /** The store of the profile. */
  readonly store: 'memory' | 'embedded';
  /** Whether docs/benchmarks.md gets the figures of this run. */
  readonly page: boolean;
}

const USAGE = `node dist/bench/main.js [--full | --smoke] [--only PART]... [--share K/N] [--soak SECONDS] [--mongodb-most] [--page]
node dist/bench/main.js --profile NAME [--store memory|embedded]`;

/** @throws an error that says what to write instead */
export function optionsOf(args: readonly string[], parts: readonly string[]): Options {
  const { values } = parsed(args);
  const unknown = values.only.find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}: ${parts.join(', ')}.`);
  const share = /^(\d+)\/(\d+)$/.exec(values.share);
  const [nth = 0, of = 0] = share?.slice(1).map(Number) ?? [];
  if (nth >= of) throw new Error(`--share takes K/N, of N parts the one behind K others.\n${USAGE}`);
  const soak = values.soak === undefined ? null : Number(values.soak);
  if (soak !== null && !(Number.isInteger(soak) && soak >= 1)) throw new Error(`--soak takes whole seconds.\n${USAGE}`);
  if (values.store !== 'memory' && values.store !== 'embedded') {
    throw new Error(`--store is memory or embedded.\n${USAGE}`);
  }
  return {
    scale: values.smoke ? 'smoke' : values.full ? 'full' : 'quick',
    only: values.only,
    share: { nth, of },
    soak,
    mostInMongodb: values['mongodb-most'],
    profile: values.profile ?? null,
    store: values.store,
    page: values.page,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        full: { type: 'boolean', default: false },
        smoke: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        share: { type: 'string', default: '0/1' },
        soak: { type: 'string' },
        'mongodb-most': { type: 'boolean', default: false },
        profile: { type: 'string' },
        store: { type: 'string', default: 'embedded' },
        page: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
}
