import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { expect } from 'chai';
import { createEspalier } from '../../../adapters/service/index.ts';
import { startService } from '../../../adapters/http/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { needs } from '../../fixtures/available.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

describe('the reference page', () => {
  it('shows the whole interface in a browser, with nothing from elsewhere', async function () {
    this.timeout(60_000);
    needs(this, `Chromium at ${CHROMIUM}`, existsSync(CHROMIUM));
    const espalier = createEspalier({ store: memoryStore() });
    const ready = () => espalier.store.ready();
    const service = await startService({ engine: espalier.engine, identity: espalier.identity, ready, port: 0 });
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    try {
      const page = await browser.newPage();
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${service.url}/api/docs`);
      const task = page.locator('.opblock-put', { hasText: 'Change or move a task' });
      await task.locator('.opblock-summary-control').click();
      await task.getByText('afterTaskId').first().waitFor();
      expect(await page.locator('.opblock').count()).to.be.greaterThan(60);
      expect(await page.locator('.info .title').first().textContent()).to.contain('Espalier');
      expect(complaints).to.deep.equal([]);
      expect(asked.filter((url) => !url.startsWith(service.url) && !url.startsWith('data:'))).to.deep.equal([]);
    } finally {
      await browser.close();
      await service.close();
      await espalier.close();
    }
  });
});
