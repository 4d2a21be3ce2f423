import type { Store } from '../../../../core/ports/store.ts';
import { prepared, senderOf, type DocumentedOperation } from './example-requests.ts';
import { newExampleService } from './example-service.ts';
import type { Answer } from '../support.ts';
import type { Provocation } from './provocation.ts';

/** What the service answers to the provocation. */
export async function provoke(operation: DocumentedOperation, how: Provocation): Promise<Answer> {
  const { parts, engine, before, ask = (one) => one, by = senderOf(operation.operationId) } = how;
  const service = await newExampleService(parts, engine);
  try {
    const example = await prepared(operation, service);
    await before?.(service, example);
    const asked = ask(example);
    const ada = await service.as.ada.me.get();
    const path = asked.path.replace('ADA', ada.id);
    const token = how.token ?? (by === 'nobody' ? undefined : service.tokens[by]);
    return await service.ask({ ...asked, path, ...(token === undefined ? {} : { token }) });
  } finally {
    await service.close();
  }
}

function failingStore(inner: Store, failing: { readonly now: boolean }, reason: Error): Store {
  const guarded = <T>(run: () => Promise<T>) => (failing.now ? Promise.reject(reason) : run());
  return {
    read: (work) => guarded(() => inner.read(work)),
    write: (work) => guarded(() => inner.write(work)),
    ready: () => guarded(() => inner.ready()),
    close: () => inner.close(),
  };
}

/** What the service answers while its store fails. */
export async function provokeStore(operation: DocumentedOperation, reason: Error): Promise<Answer> {
  const failing = { now: false };
  const service = await newExampleService({}, {}, (store) => failingStore(store, failing, reason));
  try {
    const example = await prepared(operation, service);
    failing.now = true;
    return await service.ask({ ...example, token: service.tokens[senderOf(operation.operationId)] });
  } finally {
    await service.close();
  }
}
