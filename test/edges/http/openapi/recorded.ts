import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { RecordedAnswers } from '../../../../adapters/http/openapi/examples.ts';

const FILE = new URL('../../../../../adapters/http/openapi/recorded-answers.json', import.meta.url);

/** Whether what the document gives as answers is to be written anew: `ESPALIER_UPDATE=1`, then build again. */
export const RECORDS = process.env['ESPALIER_UPDATE'] === '1';

/** Writes answers into the file that the document is made with. */
export async function record(part: Partial<RecordedAnswers>): Promise<void> {
  const file = fileURLToPath(FILE);
  const before = JSON.parse(await readFile(file, 'utf8')) as RecordedAnswers;
  await writeFile(file, `${JSON.stringify({ ...before, ...part }, null, 1)}\n`);
}

/** The answer as the document may hold it: without secrets. */
export function shown<T>(answer: T): T {
  return JSON.parse(JSON.stringify(answer).replaceAll(/esp_[0-9A-Za-z]{33}/g, TOKEN)) as T;
}

const TOKEN = 'esp_CxQYFASTgDiyQhVzZQVl0x8lP0e1IjQrj';
