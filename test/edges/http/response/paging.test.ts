import { expect } from 'chai';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { overBoth, type Answer, type Api } from '../support.ts';

/** Every part of a list, by following the links. */
async function walk(api: Api, path: string, token: string): Promise<Answer[]> {
  const parts: Answer[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer = await api.ask({ method: 'GET', path: next, token });
    expect(answer.status, answer.text).to.equal(200);
    parts.push(answer);
    next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return parts;
}

const items = (parts: readonly Answer[]): { id: string }[] => parts.flatMap(({ json }) => json as { id: string }[]);

overBoth('paging', (open) => {
  async function withTasks(count: number) {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const path = `/api/workspace/${sample.ids.workspaceId}/task`;
    const tasks = Array.from({ length: count }, (_, i) => ({
      title: `${'ä😀"\\'.repeat(i % 3)} ${i}`,
      boardId: sample.ids.boardId,
      priority: i % 4,
    }));
    await api.ask({ method: 'POST', path: `${path}/batch`, body: { tasks }, token: sample.ada.token });
    return { api, sample, path, token: sample.ada.token };
  }

  it('walks a list of tasks to its end, in any order', async () => {
    const { api, path, token } = await withTasks(9);
    for (const sort of [
      'num',
      '-num',
      'title',
      '-title,priority',
      'priority,-createdAt',
      'position',
      'dateStart,-dateEnd',
    ]) {
      const whole = await walk(api, `${path}?sort=${sort}&limit=500`, token);
      expect(whole).to.have.length(1);
      const parts = await walk(api, `${path}?sort=${sort}&limit=2`, token);
      expect(parts, sort).to.have.length(6);
      expect(items(parts), sort).to.deep.equal(items(whole));
      expect(parts.map(({ json }) => json.length)).to.deep.equal([2, 2, 2, 2, 2, 1]);
    }
  });

  it('tells of each task what reading it tells, also after a list that others have read', async () => {
    const { api, path, sample } = await withTasks(2);
    const { ada, bob, gus, ids, otherTaskId } = sample;
    const pageOf = (id: string) => `/api/workspace/${ids.workspaceId}/page/${id}`;
    const grant = (pageId: string, memberId: string, access: number) =>
      ['POST', `${pageOf(pageId)}/access/member`, { memberId, access }] as const;
    const steps: (readonly [method: string, path: string, body?: object])[] = [
      ['PUT', `${path}/${ids.taskId}`, { title: 'Änders' }],
      ['POST', `${path}/${otherTaskId}/comment`, { content: 'c' }],
      [
        'POST',
        `/api/workspace/${ids.workspaceId}/page`,
        { taskId: otherTaskId, type: 'task', name: 'Write it down', parentId: null },
      ],
      grant(otherTaskId, gus.memberId, 300),
      grant(ids.boardId, bob.memberId, 0),
      grant(ids.boardId, gus.memberId, 100),
      ['DELETE', pageOf(otherTaskId)],
      ['DELETE', `${path}/${ids.taskId}`],
    ];
    for (const [method, at, body] of [undefined, ...steps].map((step) => step ?? ['GET', path])) {
      const changed = await api.ask({ method, path: at, token: ada.token, ...(body === undefined ? {} : { body }) });
      expect(changed.status, `${method} ${at} ${changed.text}`).to.be.lessThan(300);
      for (const { token } of [ada, bob, gus]) {
        const listed = items(await walk(api, path, token));
        const one = await Promise.all(
          listed.map(async ({ id }) => {
            const whole = (await api.ask({ method: 'GET', path: `${path}/${id}`, token })).json;
            const { comments, checklist, links: _links, ...task } = whole;
            const checklistDone = checklist.filter(({ done }: { readonly done: boolean }) => done).length;
            return { ...task, commentCount: comments.length, checklistTotal: checklist.length, checklistDone };
          }),
        );
        expect(listed).to.deep.equal(one);
      }
    }
  });

  it('keeps the other parameters in the link, and counts when asked', async () => {
    const { api, path, sample, token } = await withTasks(5);
    const parts = await walk(
      api,
      `${path}?q=%5C+&boardId=${sample.ids.boardId}&limit=1&count=true&excludePriority=0`,
      token,
    );
    const link = new URL(parts[0]!.headers.get('link')!.slice(1).split('>')[0]!, 'http://localhost');
    expect(Object.fromEntries(link.searchParams)).to.include({
      q: '\\ ',
      limit: '1',
      count: 'true',
      excludePriority: '0',
    });
    const total = items(parts).length;
    for (const part of parts) expect(part.headers.get('x-total-count')).to.equal(String(total));
    const uncounted = await api.ask({ method: 'GET', path: `${path}?limit=1`, token });
    expect(uncounted.headers.get('x-total-count')).to.equal(null);
  });

  it('walks on from a cursor whose name is escaped', async () => {
    const { api, path, token } = await withTasks(4);
    const whole = await walk(api, path, token);
    const first = await api.ask({ method: 'GET', path: `${path}?limit=1`, token });
    const next = /^<([^>]+)>/.exec(first.headers.get('link')!)![1]!;
    const rest = await walk(api, next.replace('cursor=', '%63ursor='), token);
    expect(items([first, ...rest])).to.deep.equal(items(whole));
  });

  it('walks the other paged lists', async () => {
    const { api, sample, token } = await withTasks(1);
    const at = `/api/workspace/${sample.ids.workspaceId}`;
    for (const path of ['/api/user', '/api/me/token', `${at}/invitation`, `${at}/audit`]) {
      const whole = await walk(api, path, token);
      const parts = await walk(api, `${path}?limit=1`, token);
      expect(items(parts), path).to.deep.equal(items(whole));
      expect(new Set(items(parts).map(({ id }) => id)).size, path).to.equal(parts.length);
      expect(parts.length, path).to.be.greaterThan(1);
    }
  });

  it('refuses cursors that it did not give', async () => {
    const { api, path, token } = await withTasks(3);
    const first = await api.ask({ method: 'GET', path: `${path}?limit=1&sort=title`, token });
    const given = /cursor=([\w-]+)/.exec(first.headers.get('link')!)![1]!;
    const other = Buffer.from('["title,id","a"]').toString('base64url');
    const refusals = new Map<string, string>();
    for (const cursor of ['', 'x', '*', `${given}=`, other, Buffer.from('{}').toString('base64url'), 'gICA']) {
      const answer = await api.ask({ method: 'GET', path: `${path}?sort=title&cursor=${cursor}`, token });
      expect([answer.status, answer.pointers], cursor).to.deep.equal([400, ['/cursor']]);
      refusals.set(cursor, answer.text);
    }
    expect(refusals.get('x'), 'is not told as an empty one').not.to.equal(refusals.get(''));
    const moved = await api.ask({ method: 'GET', path: `${path}?sort=num&cursor=${given}`, token });
    expect([moved.status, moved.pointers]).to.deep.equal([400, ['/cursor']]);
  });

  it('takes several values repeated or separated by commas, encoded or not', async () => {
    const { api, path, token, sample } = await withTasks(8);
    const ask = async (query: string) =>
      items([await api.ask({ method: 'GET', path: `${path}?${query}`, token })]).map(({ id }) => id);
    const wanted = await ask('priority=1&priority=2');
    expect(wanted).to.have.length(4);
    for (const query of ['priority=1,2', 'priority=1%2C2', 'priority=2&priority=1,1', 'excludePriority=0,3']) {
      expect(await ask(query), query).to.deep.equal(wanted);
    }
    const comma = { title: 'C', boardId: sample.ids.boardId, externalId: 'a,b' };
    const { json } = await api.ask({ method: 'POST', path, body: comma, token });
    expect(await ask('externalId=a%2Cb')).to.deep.equal([json.id]);
    expect(await ask('externalId=a,b')).to.deep.equal([]);
  });
});
