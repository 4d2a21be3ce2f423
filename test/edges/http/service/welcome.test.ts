import { hash } from 'node:crypto';
import { expect } from 'chai';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { overBoth } from '../support.ts';

overBoth('the address of the service in a browser', (open) => {
  it('shows what it is to anybody: name, version, links; the same whatever the store holds', async () => {
    const api = await open();
    const look = (path: string, token?: string) =>
      api.ask({ method: 'GET', path, headers: { accept: 'text/html,*/*' }, ...(token !== undefined && { token }) });
    const empty = await look('/');
    expect(empty.status).to.equal(200);
    expect(empty.text).to.match(/Espalier <small>\d+\.\d+\.\d+<\/small>/);
    const { ada, ids } = await newSampleWorkspace(api);
    for (const token of [undefined, ada.token, 'esp_nobody'])
      expect((await look('/', token)).text).to.equal(empty.text);
    expect(empty.text).not.to.contain(ids.workspaceId);
    const links = [...empty.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target]) => target!);
    expect(links).to.include.members(['/api/docs', '/api/openapi.json', '/healthz', '/readyz', '/favicon.ico']);
    for (const path of links) expect((await look(path)).status, path).to.equal(200);
  });

  it('runs nothing and loads nothing from elsewhere: its style is named by its digest', async () => {
    const api = await open();
    const { text, headers } = await api.ask({ method: 'GET', path: '/' });
    const style = /<style>([\s\S]*)<\/style>/.exec(text)![1]!;
    expect(headers.get('content-security-policy')).to.contain(`'sha256-${hash('sha256', style, 'base64')}'`);
    expect(text).not.to.match(/<script|https?:/);
    const icon = await api.ask({ method: 'GET', path: '/favicon.ico' });
    expect(icon.headers.get('content-type')).to.match(/^image\/svg\+xml/);
    const again = { 'if-none-match': headers.get('etag')! };
    expect((await api.ask({ method: 'GET', path: '/', headers: again })).status).to.equal(304);
  });
});
