import type { Level } from './level.ts';
import type { HasMetadata } from './metadata.ts';
import type { Versioned } from '../kernel/record.ts';

export interface Workspace extends Versioned, HasMetadata {
  /** UUID. */
  readonly id: string;
  /** 1-200 characters. */
  readonly name: string;
  /** 2-63 of `[a-z0-9]` and inner `-`, unique in the service, never changed. */
  readonly alias: string;
  /** Up to 10,000 characters. */
  readonly description: string;
  /** The level of role Member where no page sets another. */
  readonly defaultAccess: Level;
}
