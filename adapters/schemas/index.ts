export { largestBody } from './body-size.ts';
export { bodyNames, records } from './components.ts';
export { isEmail } from './formats.ts';
export type { UseCaseName } from '../../core/use-cases.ts';
export { fieldOf, hasBody, isInQuery, MAX_QUERY, pathFields, type Operation } from './operation.ts';
export { operations, watchOperation } from './operations.ts';
export { streams, type Stream } from './streams.ts';
export { compileChecks, normaliseWorkspace, validated } from './validate-engine.ts';
export { escaped, MAX_ERRORS, toJsonValue } from './json-value.ts';
