import { stopped, type Io } from '../io/io.ts';

/** The parts of an input as they come, until the program is asked to stop: also while it waits for more. */
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
