import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Type } from 'typebox';
import { schemaOf } from '../../../../adapters/http/openapi/schema.ts';
import { operations } from '../../../../adapters/schemas/index.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { document } from './conform.ts';
import { newApi } from '../support.ts';

/** The interface as it was given: these 42 operations, at these addresses. */
const GIVEN = `
GET /api/workspace
POST /api/workspace
GET /api/workspace/{id}
PUT /api/workspace/{id}
DELETE /api/workspace/{id}
GET /api/workspace/{id}/members
POST /api/workspace/{id}/invitation
GET /api/workspace/invitation/{invitationId}
POST /api/workspace/invitation/{invitationId}/join
GET /api/workspace/{workspaceId}/page
POST /api/workspace/{workspaceId}/page
GET /api/workspace/{workspaceId}/page/{pageId}
PUT /api/workspace/{workspaceId}/page/{pageId}
DELETE /api/workspace/{workspaceId}/page/{pageId}
GET /api/workspace/{workspaceId}/page/{pageId}/access
PUT /api/workspace/{workspaceId}/page/{pageId}/access
GET /api/workspace/{workspaceId}/page/{pageId}/access/members
POST /api/workspace/{workspaceId}/page/{pageId}/access/member
DELETE /api/workspace/{workspaceId}/page/{pageId}/access/member/{memberId}
GET /api/workspace/{workspaceId}/board
POST /api/workspace/{workspaceId}/board
GET /api/workspace/{workspaceId}/board/{boardId}
PUT /api/workspace/{workspaceId}/board/{boardId}
DELETE /api/workspace/{workspaceId}/board/{boardId}
POST /api/workspace/{workspaceId}/board/{boardId}/status
PUT /api/workspace/{workspaceId}/board/{boardId}/status/{statusId}
DELETE /api/workspace/{workspaceId}/board/{boardId}/status/{statusId}
POST /api/workspace/{workspaceId}/board/{boardId}/tag
PUT /api/workspace/{workspaceId}/board/{boardId}/tag/{tagId}
DELETE /api/workspace/{workspaceId}/board/{boardId}/tag/{tagId}
GET /api/workspace/{workspaceId}/task
POST /api/workspace/{workspaceId}/task
GET /api/workspace/{workspaceId}/task/{taskId}
PUT /api/workspace/{workspaceId}/task/{taskId}
DELETE /api/workspace/{workspaceId}/task/{taskId}
POST /api/workspace/{workspaceId}/task/{taskId}/comment
PUT /api/workspace/{workspaceId}/task/{taskId}/comment/{commentId}
DELETE /api/workspace/{workspaceId}/task/{taskId}/comment/{commentId}
POST /api/workspace/{workspaceId}/task/{taskId}/tag
DELETE /api/workspace/{workspaceId}/task/{taskId}/tag/{tagId}
POST /api/workspace/{workspaceId}/task/{taskId}/assignee
DELETE /api/workspace/{workspaceId}/task/{taskId}/assignee/{memberId}
`
  .trim()
  .split('\n');

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

describe('the OpenAPI document', () => {
  const folder = temporaryFolder();

  it('holds the whole interface', () => {
    expect(GIVEN).to.have.length(42);
    const described = operations.map(({ method, path }) => `${method} ${path}`);
    expect(described).to.include.members(GIVEN);
    expect(new Set(described).size).to.equal(described.length);
  });

  it('says what each tag is that an operation has', () => {
    const { tags, paths } = document as unknown as {
      tags: readonly { name: string }[];
      paths: Record<string, Record<string, { tags?: readonly string[] }>>;
    };
    const used = Object.values(paths).flatMap((path) => Object.values(path).flatMap((one) => one.tags ?? []));
    expect([...new Set(used)].sort()).to.deep.equal(tags.map(({ name }) => name).sort());
  });

  it('is served to everyone, and is the document that answers are held to', async () => {
    const api = await newApi('in process');
    const answer = await api.ask({ method: 'GET', path: '/api/openapi.json' });
    expect(answer.json).to.deep.equal(JSON.parse(JSON.stringify(document)));
    const etag = answer.headers.get('etag')!;
    const again = await api.ask({ method: 'GET', path: '/api/openapi.json', headers: { 'if-none-match': etag } });
    expect(again.status).to.equal(304);
    await api.close();
  });

  it('passes the linter without a warning', async () => {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const redocly = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    const config = join(ROOT, 'redocly.yaml');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const run = promisify(execFile)(process.execPath, [redocly, 'lint', file, '--config', config, '--format', 'json'], {
      env,
    });
    const { stdout } = await run;
    const { totals } = JSON.parse(stdout) as { totals: object };
    expect(totals).to.deep.equal({ errors: 0, warnings: 0, ignored: 0 });
  });

  it('calls those names blank of which nothing is left', () => {
    const { pattern } = schemaOf(Type.String({ normalise: 'trim' })) as { pattern: string };
    const characters = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
    const blank = (text: string) => text.trim() === '';
    expect(characters.filter((each) => new RegExp(pattern).test(each) === blank(each))).to.deep.equal([]);
    expect(new RegExp(pattern, 'u').test('\n x\u3000')).to.equal(true);
  });

  it('counts what is left of a name when it is trimmed', () => {
    const { pattern, maxLength } = schemaOf(Type.String({ normalise: 'trim', minLength: 1, maxLength: 5 })) as {
      pattern: string;
      maxLength?: number;
    };
    expect(maxLength).to.equal(undefined);
    for (const [name, isOne] of [
      ['x', true],
      ['xxxxx', true],
      ['  x x x \t', true],
      ['😀😀😀😀😀', true],
      ['xxxxxx', false],
      [' x    x ', false],
      ['   ', false],
      ['', false],
    ] as const) {
      expect(new RegExp(pattern, 'u').test(name), name).to.equal(isOne);
    }
  });

  it('bounds every parameter and every field of a body', () => {
    const loose: string[] = [];
    const look = (schema: Record<string, unknown>, at: string): void => {
      const types = [schema['type']].flat();
      const has = (...names: string[]) => names.some((name) => Object.hasOwn(schema, name));
      if (types.includes('string') && !has('maxLength', 'enum', 'const')) loose.push(at);
      if (types.includes('integer') && !has('enum') && !(has('minimum') && has('maximum'))) loose.push(at);
      for (const [name, field] of Object.entries((schema['properties'] ?? {}) as Record<string, never>))
        look(field, `${at}/${name}`);
      if (Object.hasOwn(schema, 'items')) look(schema['items'] as Record<string, unknown>, `${at}/0`);
    };
    for (const { useCase, input } of operations) look({ ...input }, useCase);
    expect(loose).to.deep.equal([]);
  });
});
