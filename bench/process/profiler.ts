import { Session, type Profiler } from 'node:inspector';

export type Profile = Profiler.Profile;

const MICROSECONDS = 200;

const session = new Session();

/** Samples the stack of this process. Code that ran before the start is not included. */
export const profiler = {
  async start(): Promise<void> {
    session.connect();
    await post('Profiler.enable');
    await post('Profiler.setSamplingInterval', { interval: MICROSECONDS });
    await post('Profiler.start');
  },
  async stop(): Promise<Profile> {
    const { profile } = await post<{ profile: Profile }>('Profiler.stop');
    session.disconnect();
    return profile;
  },
};

function post<T = unknown>(method: string, parameters: object = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    session.post(method, parameters, (error, result) => {
      if (error === null) resolve(result as T);
      else reject(error);
    });
  });
}
