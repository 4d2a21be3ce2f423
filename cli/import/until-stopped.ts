import { stopped, type Io } from '../io/io.ts';

/** The chunks of an input, until the program is asked to stop, even while it waits for the next chunk. */
export async function* untilStopped<T>(input: AsyncIterable<T>, io: Pick<Io, 'stop'>): AsyncIterableIterator<T> {
  const interrupt = stopped(io);
  interrupt.catch(() => {});
  const parts = input[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await Promise.race([parts.next(), interrupt]);
    if (done === true) return;
    yield value;
  }
}
