import type { Noun } from './verb.ts';

/** A noun as the top-level help shows it; its commands load when it is used. */
export interface NounEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Noun>;
}

export const NOUNS: readonly NounEntry[] = [
  {
    name: 'serve',
    summary: 'run the HTTP service',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'import',
    summary: 'bring boards and workspaces in',
    load: async () => (await import('./commands/import.ts')).imports,
  },
];
