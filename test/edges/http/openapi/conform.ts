import { assert, expect } from 'chai';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { openApi } from '../../../../adapters/http/openapi/document.ts';
import type { Answer, Ask } from '../support.ts';

interface ResponseObject {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, object>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface OperationObject {
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export const document = openApi() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly responses: Readonly<Record<string, ResponseObject>> };
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
ajv.addFormat('css-color', true);
ajv.addSchema({ $id: 'document', ...document });

const compiled = new Map<string, ValidateFunction>();

/** Fails unless the document says that such a request may be answered like this. */
export function conform({ method, path }: Ask, answer: Answer): void {
  const what = `${method} ${path.slice(0, 200)} ${answer.status} ${answer.text.slice(0, 500)}`;
  assert(answer.headers.get('x-request-id'), what);
  const template = templateOf(path.split('?')[0]!);
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = template === undefined ? undefined : document.paths[template]![verb];
  if (operation === undefined) {
    conformUndescribed(method, answer, what);
    return;
  }
  const listed = operation.responses[answer.status];
  assert(listed, `not in the document: ${what}`);
  const { response, pointer } = resolved(listed, template!, verb, answer.status);
  for (const name of [
    'etag',
    'location',
    'link',
    'x-total-count',
    'retry-after',
    'www-authenticate',
    'allow',
    'idempotency-replayed',
    'espalier-cursor',
  ]) {
    const described = Object.keys(response.headers ?? {}).some((one) => one.toLowerCase() === name);
    assert(!answer.headers.has(name) || described, `${name} is not in the document: ${what}`);
  }
  if (response.content === undefined || method === 'HEAD') {
    expect(answer.text, what).to.equal('');
    return;
  }
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  assert(Object.hasOwn(response.content, type), `${type} is not in the document: ${what}`);
  if (answer.json === undefined) return;
  const body = `${pointer}/content/${escaped(type)}/schema`;
  assert(valid(body, answer.json), `${what}\n${ajv.errorsText(compiled.get(body)!.errors)}`);
}

/** What the document leaves to HTTP: unknown paths, methods that are not allowed, OPTIONS. */
function conformUndescribed(method: string, answer: Answer, what: string): void {
  if (answer.status === 204 && method === 'OPTIONS') {
    assert(answer.headers.get('allow'), what);
    return;
  }
  if (answer.status === 200 && /\/(?:api\/docs\/|favicon\.ico)/.test(what)) return;
  assert([401, 404, 405, 429].includes(answer.status), what);
  if (method !== 'HEAD') assert(valid('#/components/schemas/Problem', answer.json), what);
}

function valid(pointer: string, json: unknown): boolean {
  let validate = compiled.get(pointer);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `document${pointer}` });
    compiled.set(pointer, validate);
  }
  return validate(json);
}

function resolved(listed: ResponseObject, template: string, verb: string, status: number) {
  if (listed.$ref === undefined) {
    return { response: listed, pointer: `#/paths/${escaped(template)}/${verb}/responses/${status}` };
  }
  const name = listed.$ref.split('/').at(-1)!;
  return { response: document.components.responses[name]!, pointer: `#/components/responses/${name}` };
}

/** What is literal goes before what is a parameter. */
const TEMPLATES = Object.keys(document.paths)
  .toSorted((a, b) => parametersIn(a) - parametersIn(b))
  .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`) }));

function templateOf(path: string): string | undefined {
  return TEMPLATES.find(({ pattern }) => pattern.test(path))?.template;
}

function parametersIn(template: string): number {
  return template.split('{').length;
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
