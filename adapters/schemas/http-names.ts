/** The header with the cursor from which the changes of a workspace follow what was read. */
export const CURSOR = 'espalier-cursor';
/** The media type of streams of records. */
export const LINES = 'application/x-ndjson';
/** The media type of streams of events. */
export const EVENT_STREAM = 'text/event-stream';
