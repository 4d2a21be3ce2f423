/** Units of work, for yielding: reading a record is one. */

/** Reading an index entry. */
export const ENTRY_COST = 0.25;

/** Writing a record. */
export const WRITE_COST = 4;
