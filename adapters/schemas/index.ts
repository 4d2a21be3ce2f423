export { bodies, records } from './components.ts';
export { isEmail } from './formats.ts';
export { fieldOf, hasBody, pathFields, type Operation, type UseCaseName } from './operation.ts';
export { operations } from './operations.ts';
export { usableId, validated } from './validated.ts';
export { escaped, plain } from './walk.ts';
