import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { holdWrites, openedCard, until, watchEach, type Watched } from './board-page.ts';

describe('what one has written in a card, on the board in a browser, where one leaves it', function () {
  this.timeout(60_000);
  let at: Watched;
  watchEach((watched) => (at = watched));

  /** A card with a link to another one and with an unsaved description, and what is answered where one leaves it. */
  async function writtenCard(answers: ('accept' | 'dismiss')[]) {
    const opened = await openedCard(at);
    const { page, dialog, workspaceId, ids } = opened;
    at.onQuestion(page, (question) => question[answers.shift()!]());
    await at.admin.tasks.link({ workspaceId, fromTaskId: ids[0]!, type: 'relates', taskId: ids[1]! });
    await dialog.getByRole('link', { name: '#2 Second' }).waitFor();
    await page.getByLabel('Description').fill('Written');
    return opened;
  }

  const WAYS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'the key that closes it': (page) => page.keyboard.press('Escape'),
    'its button': (page) => page.getByRole('button', { name: 'Close' }).click(),
    'a link to another card': (page) => page.getByRole('link', { name: '#2 Second' }).click(),
    'the way back': (page) => page.evaluate('history.back()'),
  };
  for (const [name, leave] of Object.entries(WAYS)) {
    it(`stays, by ${name}, as long as one does not agree to lose it`, async () => {
      const answers: ('accept' | 'dismiss')[] = ['dismiss', 'dismiss', 'dismiss', 'dismiss', 'accept'];
      const { page, dialog, ids } = await writtenCard(answers);
      // Browsers let a page prevent few of the closings that follow each other.
      const leaveAndAnswer = async () => {
        const question = page.waitForEvent('dialog');
        await leave(page);
        await question;
      };
      for (let left = 4; left >= 1; left--) {
        await leaveAndAnswer();
        await until(page, `document.querySelector('dialog').open`);
        expect(answers).to.have.length(left);
        expect(await page.getByLabel('Description').inputValue()).to.equal('Written');
        expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('card')).to.equal(ids[0]);
      }
      await leaveAndAnswer();
      await dialog.getByRole('heading', { name: '#1 First' }).waitFor({ state: 'detached' });
      expect(answers).to.have.length(0);
    });
  }

  /** A card with a title that is being saved until `letGo`, and with a description that was written since. */
  async function writtenWhileSaved() {
    const opened = await openedCard(at);
    const { page } = opened;
    const asked: string[] = [];
    at.onQuestion(page, async (question) => {
      asked.push(question.type());
      await question.dismiss();
    });
    const letGo = await holdWrites(page);
    await page.getByLabel('Title').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Description').fill('Written');
    return { ...opened, asked, letGo };
  }

  it('is asked for where one leaves the card while that is saved', async () => {
    const { page, dialog, letGo } = await writtenWhileSaved();
    const question = page.waitForEvent('dialog', { timeout: 10_000 });
    await page.keyboard.press('Escape');
    await question;
    await letGo();
    await page.getByText('First: saved.').waitFor({ state: 'attached' });
    expect(await dialog.getByLabel('Description').inputValue()).to.equal('Written');
  });

  it('stays where it was written while the card was saved, and the rest is saved', async () => {
    const { page, dialog, stored, asked, letGo } = await writtenWhileSaved();
    await letGo();
    await page.getByText('First: saved.').waitFor({ state: 'attached' });
    await until(page, "document.querySelector('dialog').open");
    expect(await page.getByLabel('Description').inputValue()).to.equal('Written');
    at.expectStatus(page, 412);
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { title, description } = await stored();
    expect({ title, description }).to.deep.equal({ title: 'Mine', description: 'Written' });
    expect(asked).to.deep.equal(['confirm']);
  });

  it('is not left while it is being added', async () => {
    const { page, dialog } = await openedCard(at);
    at.onQuestion(page, (question) => question.dismiss());
    const letGo = await holdWrites(page, 'POST');
    await page.getByLabel('Add a comment').fill('Written');
    await page.keyboard.press('Enter');
    const question = page.waitForEvent('dialog');
    await page.keyboard.press('Escape');
    await question;
    await letGo();
    await dialog.getByRole('article').getByText('Written').waitFor();
    await until(page, "document.querySelector('[aria-busy=true]') === null");
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('is not left while the second of two is being added', async () => {
    const { page, dialog } = await openedCard(at);
    at.onQuestion(page, (question) => question.dismiss());
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/comment', async (route) => {
      if (route.request().postData()?.includes('Two') === true) await held;
      await route.continue();
    });
    const second = page.waitForRequest((request) => request.postData()?.includes('Two') === true);
    for (const text of ['One', 'Two']) {
      await page.getByLabel('Add a comment').fill(text);
      await page.keyboard.press('Enter');
    }
    await second;
    await until(page, 'true');
    const question = page.waitForEvent('dialog', { timeout: 10_000 });
    await page.keyboard.press('Escape');
    await question;
    letGo();
    await dialog.getByRole('article').getByText('Two').waitFor();
  });

  it('may be saved again, once it stayed, with nobody else in the way', async () => {
    const { page, dialog, stored } = await openedCard(at);
    at.onQuestion(page, (question) => question.dismiss());
    const letGo = await holdWrites(page);
    await page.getByLabel('Title').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Title').fill('Mine too');
    const question = page.waitForEvent('dialog');
    await letGo();
    await question;
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await stored()).title).to.equal('Mine too');
  });
});
