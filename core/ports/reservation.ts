/** The structure of a workspace, reserved for one call: others of this engine change it afterwards. */
export interface Reservation {
  /** Resolves when it is over. */
  readonly ended: Promise<void>;
}
