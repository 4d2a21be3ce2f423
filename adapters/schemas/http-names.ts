/** The header with the cursor after which the changes to a workspace follow the state that was read. */
export const CURSOR = 'espalier-cursor';
/** The media type of streams of records. */
export const JSON_LINES = 'application/x-ndjson';
/** The media type of streams of events. */
export const EVENT_STREAM = 'text/event-stream';
