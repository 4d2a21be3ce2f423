export { recordsFrom } from './read.ts';
export { linesTo, type LinesWriter } from './write.ts';
