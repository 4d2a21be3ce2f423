import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, removed when the test file is through. To be called while tests are declared. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
