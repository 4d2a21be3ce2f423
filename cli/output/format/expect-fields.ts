import { usage } from '../../io/failure.ts';
import { didYouMean } from '../../refs/near.ts';

export const OF_METADATA = 'metadata.';

/** Whether a field is one key of the metadata: `metadata.sprint`. */
export function isOfMetadata(name: string): boolean {
  return name.startsWith(OF_METADATA) && name.length > OF_METADATA.length;
}

/** @throws a usage failure for an unknown field */
export function expectFields(fields: readonly string[], known: readonly string[]): void {
  const unknown = fields.filter((name) => !known.includes(name) && !(isOfMetadata(name) && known.includes('metadata')));
  if (unknown.length === 0) return;
  const near = unknown.flatMap((name) => didYouMean(name, known));
  throw usage(
    `There is no field ${unknown.map((name) => JSON.stringify(name)).join(', ')}.`,
    ...near,
    `Fields: ${known.join(', ')}.`,
  );
}
