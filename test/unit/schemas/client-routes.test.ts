import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ROUTES, type OperationRoute } from '../../../adapters/client/routes.ts';
import { operations } from '../../../adapters/schemas/index.ts';

/** Seen from `dist/test/unit/schemas`. */
const FILE = fileURLToPath(new URL('../../../../adapters/client/routes.ts', import.meta.url));

const routes: readonly OperationRoute[] = operations.map(
  ({ useCase, method, path, output, paged, resumedBy, secret }) => ({
    useCase,
    method,
    path,
    ...(paged && { paged }),
    ...(!paged && output !== null && 'type' in output && output.type === 'array' && { listed: true }),
    ...(resumedBy === 'since' && { resumedBy }),
    ...(secret === 'once' && { secret }),
  }),
);

function textOf(all: readonly OperationRoute[]): string {
  const rows = all.map((route) => `  ${JSON.stringify(route).replaceAll(/"(\w+)":/g, '$1: ')},\n`.replaceAll('"', "'"));
  return `${HEAD}${rows.join('')}];\n`;
}

const HEAD = `import type { Operation } from '../schemas/operation.ts';

/** What a client has to know of an operation: absent columns are false, \`cursor\` and null. */
export type OperationRoute = Pick<Operation, 'useCase' | 'method' | 'path'> &
  Partial<Pick<Operation, 'paged' | 'resumedBy' | 'secret'>> & {
    /** Answered with a whole list. */
    readonly listed?: boolean;
  };

/**
 * The table of operations without its schemas, which a bundle for browsers would carry with their library. A test
 * compares the two, and writes this file anew with ESPALIER_UPDATE=1.
 */
export const ROUTES: readonly OperationRoute[] = [
`;

describe('the routes of the client', () => {
  it('are those of the table of operations; ESPALIER_UPDATE=1 and oxfmt write them anew', async () => {
    if (process.env['ESPALIER_UPDATE']) await writeFile(FILE, textOf(routes));
    else expect(ROUTES).to.deep.equal(routes);
  });
});
