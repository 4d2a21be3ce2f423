export type * from '../../core/index.ts';
export { Level } from '../../core/model/access/level.ts';
export { describeAccessStep } from '../../core/access/describe-step.ts';
export { describeHistoryEntry } from '../../core/history/describe.ts';
export { EspalierError, type ErrorCode } from '../../core/kernel/errors.ts';
export { createClient, type ClientOptions } from './client.ts';
