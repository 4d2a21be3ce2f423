import type { Versioned } from '../../kernel/record.ts';

/** A person who may sign in, across all workspaces. */
export interface User extends Versioned {
  /** UUID. */
  readonly id: string;
  /** 1-200 characters. */
  readonly name: string;
  /** Unique in the service, in lower case. */
  readonly email: string;
  /** An invitation to an address needs a user whose address is verified. */
  readonly emailVerified: boolean;
  /** The URL of a picture; null: none. */
  readonly avatar: string | null;
  /** Null: none. */
  readonly phone: string | null;
  /** May manage users of the service. Gives no access to workspaces. */
  readonly administrator: boolean;
  /** Cannot sign in, and has no access anywhere. */
  readonly disabled: boolean;
}

/** The form in which e-mail addresses are stored and compared. */
export function foldEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
