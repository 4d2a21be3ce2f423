import { createEspalier } from '../../../adapters/service/index.ts';
import { rewindStore } from '../../fixtures/store/rewind-store.ts';
import { newSampleWorkspace, type SampleWorkspace } from './sample-workspace.ts';
import { newApi, type Api, type ApiParts, type Transport } from './support.ts';

/** A service with a sample workspace that many requests find as it was made: a service for each takes far longer. */
export interface RewoundSample {
  readonly api: Api;
  readonly sample: SampleWorkspace;
  /** Takes everything back to when the sample was made. */
  rewind(): Promise<void>;
}

export async function newRewoundSample(
  transport: Transport,
  parts: Omit<ApiParts, 'espalier'> = {},
): Promise<RewoundSample> {
  const store = rewindStore();
  const api = await newApi(transport, { ...parts, espalier: createEspalier({ store }) });
  const sample = await newSampleWorkspace(api);
  await api.espalier.idle();
  const start = store.state();
  return {
    api,
    sample,
    async rewind() {
      await api.espalier.idle();
      store.rewind(start);
    },
  };
}
