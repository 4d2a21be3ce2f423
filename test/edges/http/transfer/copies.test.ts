import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newApi } from '../support.ts';

describe('a copy that takes long', () => {
  for (const [name, quota, status] of [
    ['is there later', null, 200],
    ['is given up later, which only its maker is told', 2, 409],
  ] as const) {
    it(`is answered with 202 and a Location, which answers 404 until it ${name}`, async () => {
      const store = new WatchedStore(memoryStore());
      const api = await newApi('in process', { espalier: createEspalier({ store }) });
      const { ids, ada, bob } = await newSampleWorkspace(api);
      const { workspaceId, boardId } = ids;
      // Out of reach after the first commit: a copy waits for it, like one that takes longer than two seconds.
      store.reach = 1;
      const path = `/api/workspace/${workspaceId}/board/${boardId}/copy`;
      const begun = await api.ask({ method: 'POST', path, token: ada.token, body: { name: 'Copy', tasks: true } });
      store.reach = Infinity;
      expect([begun.status, begun.json.board]).to.deep.equal([202, null]);
      const location = begun.headers.get('location')!;
      expect(location).to.equal(`/api/workspace/${workspaceId}/board/${begun.json.id}`);
      const found = async (token: string) => (await api.ask({ method: 'GET', path: location, token })).status;
      expect(await found(ada.token)).to.equal(404);
      if (quota !== null) await api.espalier.operator.quotas.update({ tasks: quota });
      await eventually(async () => expect(await found(ada.token)).to.equal(status));
      expect(await found(bob.token)).to.equal(status === 409 ? 404 : 200);
      await api.close();
    });
  }
});
