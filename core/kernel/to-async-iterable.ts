/**
 * What a producer passes to a sink, as an iterable: the sink waits until the consumer asks for the next item. The
 * producer starts with the first request.
 *
 * A consumer that stops early makes the sink throw, and waits for the producer to end.
 */
export async function* toAsyncIterable<T>(
  produce: (sink: (item: T) => Promise<void>) => Promise<unknown>,
): AsyncGenerator<T, void, undefined> {
  const state: { offer: Offer<T> | null; isOver: boolean } = { offer: null, isOver: false };
  let notify = (): void => {};
  const sink = (item: T) =>
    new Promise<void>((taken, refused) => {
      state.offer = { item, taken, refused };
      notify();
    });
  const running = produce(sink).finally(() => {
    state.isOver = true;
    notify();
  });
  // Its failure is thrown below, unless the consumer has stopped.
  running.catch(() => {});
  const next = async (): Promise<Offer<T> | null> => {
    while (state.offer === null && !state.isOver) await new Promise<void>((resolve) => (notify = resolve));
    const { offer } = state;
    state.offer = null;
    return offer;
  };
  let current: Offer<T> | null = null;
  try {
    while ((current = await next()) !== null) {
      yield current.item;
      current.taken();
    }
    await running;
  } finally {
    current?.refused(new Error('The consumer has stopped.'));
    await running.catch(() => {});
  }
}

interface Offer<T> {
  readonly item: T;
  readonly taken: () => void;
  readonly refused: (reason: unknown) => void;
}
