import { usage } from '../io/failure.ts';
import { withoutUndefined } from './without-undefined.ts';

/** The fields that options give. @throws a usage failure if there are none */
export function changesGiven<T extends object>(fields: T): ReturnType<typeof withoutUndefined<T>> {
  const changes = withoutUndefined(fields);
  if (Object.keys(changes).length > 0) return changes;
  throw usage('No changes given: see --help for the options.');
}
