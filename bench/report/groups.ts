import type { Profile } from '../process/profiler.ts';

/** The groups of the time of a request. */
export const GROUPS = [
  'http of node',
  'h3',
  'parse',
  'route',
  'identity',
  'access',
  'use case',
  'store',
  'engine of the store',
  'serialise',
  'garbage',
  'rest',
] as const;

export type Group = (typeof GROUPS)[number];

/** The first group with a pattern that matches a source file. */
export const FILES: readonly (readonly [RegExp, Group])[] = [
  [/\/adapters\/http\/request\/(input|body|json-shape|query|address|idempotency|workspace-address)\.js$/, 'parse'],
  [/\/adapters\/http\/response\/(paging|conditional|negotiation)\.js$/, 'parse'],
  [/\/adapters\/schemas\/|\/node_modules\/(ajv|ajv-formats|typebox|fast-uri)\/|^evalmachine|^ajv/, 'parse'],
  [/\/adapters\/identity\/|\/adapters\/http\/limits\/limits\.js$/, 'identity'],
  [/\/adapters\/http\/request\/(authentication|signed-in|user-of-caller)\.js$/, 'identity'],
  [/\/core\/access\/identify\.js$|\/core\/write\/activity-log\.js$|^node:(internal\/)?crypto/, 'identity'],
  [/\/adapters\/http\/operation-handler\.js$|\/core\/[a-z]+\/view\.js$/, 'serialise'],
  [/\/adapters\/http\/response\/(reply|json)\.js$/, 'serialise'],
  [/\/adapters\/http\/|\/node_modules\/(rou3|prom-client|rate-limiter-flexible)\//, 'route'],
  [/\/node_modules\/(h3|srvx)\/|^node:internal\/deps\/undici|socketaddress/, 'h3'],
  [/\/core\/(access|tree)\/|\/adapters\/store-(kv|mongodb)\/structure\//, 'access'],
  [/\/adapters\/(store-(kv|memory|embedded|mongodb)|event-loop)\//, 'store'],
  [/\/node_modules\/(lmdb|sorted-btree|mongodb|bson|msgpackr|ordered-binary|weak-lru-cache)\//, 'engine of the store'],
  [/\/core\//, 'use case'],
  [/\/node_modules\//, 'rest'],
  [/^node:/, 'http of node'],
];

/** Functions without a file count for their caller, except for these. */
const FUNCTIONS: Readonly<Record<string, Group>> = {
  '(garbage collector)': 'garbage',
  '(program)': 'rest',
  stringify: 'serialise',
};

/** Never a part of a request: waiting, and the work of taking the profile. */
const ASIDE = new Set(['(idle)', 'dispatch']);

export interface Share {
  readonly group: Group;
  /** The share in the time that was not idle. */
  readonly share: number;
}

/** The share of each group in the self time of a profile. */
export function sharesOf(profile: Profile): Share[] {
  const total = new Map<Group, number>();
  eachSelf(profile, (group, micros) => total.set(group, (total.get(group) ?? 0) + micros));
  const all = [...total.values()].reduce((sum, each) => sum + each, 0);
  return GROUPS.map((group) => ({ group, share: (total.get(group) ?? 0) / all }));
}

export interface Spot {
  readonly function: string;
  readonly file: string;
  readonly group: Group;
  readonly share: number;
}

/** The functions with the largest self times. */
export function hottest(profile: Profile, count: number): Spot[] {
  const spots = new Map<string, { group: Group; micros: number; function: string; file: string }>();
  let all = 0;
  eachSelf(profile, (group, micros, { functionName, url, lineNumber }) => {
    all += micros;
    const key = `${functionName} ${url} ${lineNumber} ${group}`;
    const file = url === '' ? '' : `${url.replace(/^.*\/(node_modules|dist)\//, '')}:${lineNumber + 1}`;
    const spot = spots.get(key) ?? { group, micros: 0, function: functionName || '(anonymous)', file };
    spots.set(key, { ...spot, micros: spot.micros + micros });
  });
  return [...spots.values()]
    .sort((a, b) => b.micros - a.micros)
    .slice(0, count)
    .map(({ micros, ...spot }) => ({ ...spot, share: micros / all }));
}

type Node = Profile['nodes'][number];

function eachSelf(profile: Profile, tell: (group: Group, micros: number, frame: Node['callFrame']) => void): void {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const micros = new Map<number, number>();
  for (const [i, id] of (profile.samples ?? []).entries()) {
    micros.set(id, (micros.get(id) ?? 0) + Math.max(0, profile.timeDeltas?.[i] ?? 0));
  }
  const walk = (node: Node, caller: Group): void => {
    const group = groupOf(node.callFrame.functionName, node.callFrame.url) ?? caller;
    const own = micros.get(node.id);
    if (own !== undefined && !isAside(node.callFrame)) tell(group, own, node.callFrame);
    for (const id of node.children ?? []) {
      const child = nodes.get(id);
      if (child !== undefined) walk(child, group);
    }
  };
  const [root] = profile.nodes;
  if (root !== undefined) walk(root, 'rest');
}

/** The group of a frame; undefined if it belongs to its caller. */
export function groupOf(functionName: string, url: string): Group | undefined {
  if (url === '') return FUNCTIONS[functionName];
  return FILES.find(([file]) => file.test(url))?.[1] ?? 'rest';
}

function isAside({ functionName, url }: Node['callFrame']): boolean {
  return url === '' && ASIDE.has(functionName);
}
