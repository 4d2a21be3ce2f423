import type { Versioned } from '../../kernel/record.ts';

/** A person who may sign in, across all workspaces. */
export interface User extends Versioned {
  /** UUID. */
  readonly id: string;
  /** 1-200 characters. */
  readonly name: string;
  /** Unique in the service, in lower case. */
  readonly email: string;
  /** Whether the address is verified. An invitation to an address needs this. */
  readonly emailVerified: boolean;
  /** The URL of a picture; null: none. */
  readonly avatar: string | null;
  /** Null: none. */
  readonly phone: string | null;
  /** Whether the user may manage users of the service. This gives no access to workspaces. */
  readonly administrator: boolean;
  /** Whether the user can neither sign in nor access anything. */
  readonly disabled: boolean;
}

/** The form in which e-mail addresses are stored and compared. */
export function foldEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
