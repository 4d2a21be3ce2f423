import type { SafeText } from '../../io/safe-text.ts';

/**
 * Formats values in place of JSON, each with its line breaks. If a value fails, the texts of those before it are
 * yielded first.
 */
export type Formatter = (values: readonly unknown[]) => Iterable<SafeText>;
