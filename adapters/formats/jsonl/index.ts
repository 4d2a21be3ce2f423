export { recordsFrom } from './read.ts';
export { cutOff, snapshotFrom, snapshotTo } from './snapshot.ts';
export { linesTo, type LinesWriter } from './write.ts';
