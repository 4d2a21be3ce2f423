import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { startService, type Service } from '../../../../adapters/http/index.ts';
import { startChromium } from '../../../fixtures/process/chromium.ts';
import { newExampleService, type ExampleService } from './example-service.ts';

describe('the reference page', function () {
  this.timeout(90_000);
  let sample: ExampleService;
  let service: Service;
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];

  before(async function () {
    browser = await startChromium(this);
    sample = await newExampleService();
    const { engine, identity, store } = sample.espalier;
    service = await startService({ engine, identity, ready: () => store.ready(), port: 0 });
    page = await browser.newPage({ colorScheme: 'light' });
    page.on('request', (request) => asked.push(request.url()));
    page.on('response', (answer) => answer.status() >= 400 && complaints.push(`${answer.status()} ${answer.url()}`));
    page.on('console', (message) => message.type() !== 'info' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${service.url}/api/docs`);
    await heading('How to get a token').waitFor();
  });

  after(async () => {
    await browser?.close();
    await service?.close();
    await sample?.close();
  });

  afterEach(() => {
    expect(complaints.splice(0)).to.deep.equal([]);
    const elsewhere = asked.filter((url) => !url.startsWith(service.url) && !/^(?:data|blob):/.test(url));
    expect(elsewhere, 'asked for elsewhere').to.deep.equal([]);
  });

  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const tokenField = () => page.getByPlaceholder('Token').first();

  async function find(words: string, name: string): Promise<void> {
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog');
    await dialog.locator('input').fill(words);
    await dialog.getByText(name).first().click();
    await page.getByRole('heading', { name }).first().waitFor();
  }

  async function expectNoSidewaysScrolling(): Promise<void> {
    const { scrollWidth, clientWidth } = await page.evaluate<{ scrollWidth: number; clientWidth: number }>(
      '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
    );
    expect(scrollWidth).to.equal(clientWidth);
  }

  it('says what every caller has to know', async () => {
    expect(await page.title()).to.contain('Espalier');
    for (const name of ['Paging', 'Errors', 'Retries', 'Conditional requests']) await heading(name).waitFor();
  });

  it('keeps the token through a reload, and nothing for longer than the tab', async () => {
    await tokenField().fill(sample.tokens.ada);
    const isKept = `JSON.stringify({ ...sessionStorage }).includes('${sample.tokens.ada}')`;
    while (!(await page.evaluate<boolean>(isKept)));
    await page.reload();
    await tokenField().waitFor();
    expect(await tokenField().inputValue()).to.equal(sample.tokens.ada);
    expect(await page.context().storageState()).to.deep.equal({ cookies: [], origins: [] });
  });

  it('finds an operation, and sends its example as it stands there', async () => {
    await find('list the tasks', 'List the tasks that the caller sees');
    await page.getByRole('button').filter({ hasText: 'Test Request(get /api/workspace/{workspaceId}/task)' }).click();
    const answered = page.waitForResponse((answer) => answer.url().includes('/api/workspace/acme/task?'));
    await page.getByRole('button', { name: /^Send/ }).first().click();
    const answer = await answered;
    expect(answer.status(), answer.url()).to.equal(200);
    expect(await answer.json(), answer.url()).to.have.length(1);
    await page.keyboard.press('Escape');
  });

  it('is light or dark as the reader wants it', async () => {
    const lightness = async () => {
      const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      return colour.match(/\d+/g)!.reduce((sum, part) => sum + Number(part), 0);
    };
    expect(await lightness()).to.be.above(600);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await heading('How to get a token').waitFor();
    expect(await lightness()).to.be.below(150);
  });

  it('does not scroll sideways on a narrow screen', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScrolling();
    await find('change or move', 'Change or move a task');
    await expectNoSidewaysScrolling();
  });
});
