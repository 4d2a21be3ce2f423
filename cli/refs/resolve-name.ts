import { missing, usage } from '../io/failure.ts';

/** A thing that can be named: its id, and what people call it. */
export interface Named {
  readonly id: string;
  readonly names: readonly string[];
  /** Tells it apart from others of the same name. */
  readonly shown: string;
}

/**
 * The id of what is named: by its id, by a name as it is, or by a name in another case.
 *
 * @param kind for people: `board`, `status` ...
 * @throws a failure with what it could be, when there is none or more than one
 */
export function pick(kind: string, ref: string, things: readonly Named[]): string {
  const wanted = fold(ref);
  const byId = things.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId.id;
  const exact = things.filter(({ names }) => names.includes(ref));
  const found = exact.length > 0 ? exact : things.filter(({ names }) => names.some((name) => fold(name) === wanted));
  if (found.length === 1) return found[0]!.id;
  if (found.length > 1) {
    throw usage(`More than one ${kind} is called ${JSON.stringify(ref)}: name it by its id.`, ...shown(found));
  }
  const near = things.filter(({ names }) => names.some((name) => fold(name).includes(wanted)));
  throw missing(
    `There is no ${kind} ${JSON.stringify(ref)} here, or you may not see it.`,
    ...(near.length === 0 ? [] : ['Did you mean:', ...shown(near)]),
  );
}

const MOST = 8;

function shown(things: readonly Named[]): string[] {
  const lines = things.slice(0, MOST).map(({ id, shown: text }) => `${id}  ${text}`);
  return things.length > MOST ? [...lines, `and ${things.length - MOST} more`] : lines;
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
