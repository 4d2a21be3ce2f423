// Work that is done when the command line is bundled and not at each start, by the module that its result replaces.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { schemaWidth } from '../../dist/adapters/schemas/check.js';
import { operations, watchOperation } from '../../dist/adapters/schemas/operations.js';

const { version } = JSON.parse(readFileSync('node_modules/lmdb/package.json', 'utf8'));

/** The part of a schema that names its fields. */
function fieldsOf(schema) {
  const { items, properties } = schema ?? {};
  if (items !== undefined) return { items: fieldsOf(items) };
  return properties === undefined
    ? null
    : { properties: Object.fromEntries(Object.keys(properties).map((name) => [name, {}])) };
}

/**
 * The part of the schema of an input that lists the possible values of `expand`, and bounds its width. Each is a
 * separate object.
 */
function namesIn(input) {
  const { expand } = input.properties;
  const { fields, items } = schemaWidth(input);
  const names = {
    ...(expand !== undefined && {
      properties: { expand: { items: { enum: expand.items.enum }, maxItems: expand.maxItems } },
    }),
    maxProperties: fields,
    // No bound if the schema has none.
    items: {},
    ...(items < Infinity && { maxItems: items }),
  };
  const width = schemaWidth(names);
  if (width.fields !== fields || width.items !== items)
    throw new Error(`An input has another width: ${JSON.stringify(names)}`);
  return names;
}

const prepared = {
  // The operations with schemas reduced to the names of fields; schemas are compared by identity. The service publishes
  // schemas, so it uses the real ones.
  operations: `export const operations = ${JSON.stringify(
    operations.map(({ input, output, summary: _, description: __, ...columns }) => ({
      ...columns,
      input: namesIn(input),
      output: fieldsOf(output),
    })),
  )};
    export const watchOperation = ${JSON.stringify({ ...watchOperation, input: namesIn(watchOperation.input) })};`,
  compile: `import { operations, watchOperation } from 'prepared:operations';
    const load = require;
    const names = new Map([...operations, watchOperation].map(({ input, useCase }) => [input, useCase]));
    export const compiled = (schema, all) => load('./checks/' + names.get(schema) + (all ? '.all' : '') + '.js');
    export const compileAhead = async () => undefined;`,
  // Its native addon is the installed one. If that has another version, the whole package is the installed one.
  lmdb: `const load = require;
    const { version } = load(require('lmdb/where').replace(/dist.index\\.cjs$/, 'package.json'));
    module.exports = version === ${JSON.stringify(version)} ? require('prepared:lmdb-js') : load('lmdb');`,
  'lmdb-where': `const load = require;
    module.exports = load.resolve('lmdb');`,
  // Only used for MessagePack, an encoding that no store here uses.
  'msgpackr-extract': 'module.exports = null;',
};

/** Modules that most commands import and few use, loaded at the first use. */
const SELDOM = ['child_process', 'crypto', 'zlib'];

for (const name of SELDOM) {
  const fields = Object.keys(createRequire(import.meta.url)(`node:${name}`)).map(
    (field) => `${JSON.stringify(field)}: { enumerable: true, get: () => load('node:${name}').${field} },`,
  );
  prepared[name] = `const load = require; Object.defineProperties(exports, { ${fields.join('')} });`;
}

/** A module that tables import and plain texts never use: loading it creates a text segmenter and large patterns. */
const OF_TEXT = ['cli-truncate', 'string-width', 'wrap-ansi'];

for (const name of OF_TEXT) prepared[name] = `module.exports = (...all) => require('${name}').default(...all);`;

/** An esbuild plugin. */
export const preparing = {
  name: 'prepared',
  setup({ onResolve, onLoad }) {
    const inPlaceOf = (filter, name, by = /./) =>
      onResolve({ filter }, ({ importer }) =>
        by.test(importer) ? { path: name, namespace: 'prepared', sideEffects: false } : undefined,
      );
    inPlaceOf(/^prepared:operations$/, 'operations');
    inPlaceOf(
      /\/operations\.js$/,
      'operations',
      // The parts of the program besides the service: the command line, its client and the library.
      /\/dist\/(?:cli|adapters\/client)\/|\/adapters\/schemas\/validate-engine\.js$/,
    );
    inPlaceOf(/^\.\/compile\.js$/, 'compile', /\/schemas\/(?:check|validate-engine)\.js$/);
    inPlaceOf(/^lmdb$/, 'lmdb');
    inPlaceOf(/^msgpackr-extract$/, 'msgpackr-extract');
    for (const name of SELDOM) inPlaceOf(new RegExp(`^(?:node:)?${name}$`), name);
    for (const name of OF_TEXT) inPlaceOf(new RegExp(`^${name}$`), name, /\/dist\/cli\//);
    onLoad({ filter: /./, namespace: 'prepared' }, ({ path }) => ({ contents: prepared[path], resolveDir: '.' }));
    onResolve({ filter: /^prepared:lmdb-js$/ }, () => ({ path: resolve('node_modules/lmdb/dist/index.cjs') }));
    // It looks for its native addon relative to its own file.
    onLoad({ filter: /\/lmdb\/dist\/index\.cjs$/ }, ({ path }) => ({
      contents: `const __filename = require('lmdb/where');${readFileSync(path, 'utf8')}`,
      resolveDir: dirname(path),
      loader: 'js',
    }));
    onResolve({ filter: /^lmdb\/where$/ }, () => ({ path: 'lmdb-where', namespace: 'prepared' }));
  },
};
