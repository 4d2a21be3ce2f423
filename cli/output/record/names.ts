import { operations } from '../../../adapters/schemas/operations.ts';
import type { Session } from '../../../core/session.ts';
import type { UseCaseName } from '../../../core/use-cases.ts';

type RunVerb = (input?: object, options?: object) => Promise<unknown>;

/** A session that requests all expansions from some use cases, so that records have names beside ids. */
export function withNames(session: Session, useCases: readonly UseCaseName[]): Session {
  const nouns: Record<string, object> = { ...session };
  const expansions = new Map(operations.map(({ useCase, input }) => [useCase, expansionsIn(input)]));
  for (const useCase of useCases) {
    const [noun, verb] = useCase.split('.') as [keyof Session, string];
    const run = (session[noun] as unknown as Readonly<Record<string, RunVerb>>)[verb]!;
    const expand = expansions.get(useCase);
    if (expand === undefined) continue;
    const named: RunVerb = (input, options) => run({ expand, ...input }, options);
    nouns[noun] = { ...nouns[noun], [verb]: named };
  }
  return nouns as unknown as Session;
}

/** The values of `expand` in an input schema; undefined if it has none. */
function expansionsIn(input: object): readonly string[] | undefined {
  return (input as Expandable).properties?.expand?.items?.enum;
}

interface Expandable {
  readonly properties?: { readonly expand?: { readonly items?: { readonly enum?: readonly string[] } } };
}
