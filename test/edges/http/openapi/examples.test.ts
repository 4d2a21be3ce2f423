import { expect } from 'chai';
import recorded from '../../../../adapters/http/openapi/recorded-answers.json' with { type: 'json' };
import { documented, prepared, senderOf, type DocumentedOperation } from './example-requests.ts';
import { newExampleService, withoutMadeIds } from './example-service.ts';
import { record, RECORDS, shown } from './recorded.ts';

/** What it answers besides JSON changes with each release: its beginning is compared. */
const BEGINS: Readonly<Record<string, string>> = { welcome: '<!doctype html>', docs: '<!doctype html>' };

describe('the examples of the OpenAPI document', () => {
  const answers: Record<string, unknown> = {};

  before(async function () {
    if (!RECORDS) return;
    this.timeout(60_000);
    await record({ imported: await exportOfBeta() });
  });

  for (const operation of documented) {
    it(`${operation.operationId} is answered as the document says`, async () => {
      const answer = await answerOf(operation);
      const status = Object.keys(operation.responses).find((one) => one.startsWith('2'));
      expect(String(answer.status), answer.text).to.equal(status);
      const [type, media] = Object.entries(operation.responses[status!]!.content ?? {})[0] ?? [];
      if (type === undefined) return;
      const said = shown(answer.json ?? answer.text);
      answers[operation.operationId] = BEGINS[operation.operationId] ?? said;
      if (RECORDS) return;
      if (operation.operationId === 'openapi') return expectShape(said, media!.example);
      if (operation.operationId === 'metrics') return expectLines(said, media!.example);
      const begins = BEGINS[operation.operationId];
      if (begins !== undefined) return expect(said.startsWith(begins)).to.equal(true);
      expect(withoutMadeIds(said), 'ESPALIER_UPDATE=1 records it anew').to.deep.equal(withoutMadeIds(media!.example));
    });
  }

  after(async () => {
    if (!RECORDS) return;
    const { openapi: _, healthz: __, readyz: ___, ...rest } = answers;
    await record({ answers: { ...rest, metrics: linesOf(String(rest['metrics'])) } });
  });
});

async function answerOf(operation: DocumentedOperation) {
  const service = await newExampleService();
  try {
    const asked = await prepared(operation, service);
    const body = operation.operationId === 'imports.workspace' && RECORDS ? { raw: recorded.imported } : {};
    return await service.ask({ ...asked, ...body, token: service.tokens[senderOf(operation.operationId)] });
  } finally {
    await service.close();
  }
}

/** A small workspace as it is exported. */
async function exportOfBeta(): Promise<string> {
  const service = await newExampleService();
  const { id } = await service.as.ada.workspaces.create({ name: 'Beta' });
  await service.as.ada.pages.create({ workspaceId: id, name: 'Notes', type: 'folder' });
  const path = `/api/workspace/${id}/export`;
  const { text } = await service.ask({ method: 'GET', path, token: service.tokens.ada });
  await service.close();
  return text;
}

function expectShape(said: object, example: unknown): void {
  expect(said).to.include.keys(Object.keys(example as object));
}

/** The first lines of each kind. */
function linesOf(metrics: string): string {
  const lines = metrics.split('\n').filter((line) => line.includes('espalier_use_cases_total'));
  return `${lines.join('\n')}\n`;
}

function expectLines(said: string, example: unknown): void {
  for (const line of String(example).trimEnd().split('\n')) expect(said.split('\n')).to.include(line);
}
