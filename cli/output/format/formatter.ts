import type { SafeText } from '../../io/safe-text.ts';

/** Formats values instead of JSON, each with its line breaks; those before one that fails come first. */
export type Formatter = (values: readonly unknown[]) => Iterable<SafeText>;
