/** Units of work, for yielding: reading a record is one. */

/** Reading an index entry, or writing one of a record that has many. */
export const ENTRY_COST = 0.25;

/** Writing a record. */
export const WRITE_COST = 4;
