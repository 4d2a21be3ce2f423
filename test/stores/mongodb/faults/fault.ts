import { eventually, type Mongod, type ReplicaSet } from '../../../fixtures/mongodb/mongod.ts';

/** What happens to a cluster. Resolves when it is whole again, and calls `struck` when it has happened. */
export type Fault = (set: ReplicaSet, struck: () => void, recovered: () => Promise<void>) => Promise<void>;

const stepDown: Fault = async (set, struck, recovered) => {
  // Refused while no other member has caught up, as soon after the last one.
  await eventually(async () => {
    const primary = await set.primary();
    await primary.command({ replSetStepDown: 20, secondaryCatchUpPeriodSecs: 10 });
  }, 60_000);
  struck();
  await recovered();
};

const kill: Fault = async (set, struck, recovered) => {
  const primary = await set.primary();
  await primary.stop('SIGKILL');
  struck();
  await recovered();
  await primary.start();
};

const freeze: Fault = async (set, struck, recovered) => {
  const primary = await set.primary();
  primary.signal('SIGSTOP');
  struck();
  try {
    await recovered();
  } finally {
    primary.signal('SIGCONT');
  }
};

/** Commits are done, and the answers get lost. */
const lostAnswers: Fault = async (set, struck, recovered) => {
  const primary: Mongod = await set.primary();
  await primary.command({
    configureFailPoint: 'failCommand',
    mode: { times: 5 },
    data: {
      failCommands: ['commitTransaction'],
      writeConcernError: { code: 91, errmsg: 'the answer got lost', errorLabels: ['RetryableWriteError'] },
    },
  });
  struck();
  await recovered();
  await eventually(() => primary.command({ configureFailPoint: 'failCommand', mode: 'off' }));
};

/** Commits do not reach the server. */
const lostCommits: Fault = async (set, struck, recovered) => {
  const primary: Mongod = await set.primary();
  await primary.command({
    configureFailPoint: 'failCommand',
    mode: { times: 5 },
    data: { failCommands: ['commitTransaction'], closeConnection: true },
  });
  struck();
  await recovered();
  await eventually(() => primary.command({ configureFailPoint: 'failCommand', mode: 'off' }));
};

/** The first two are what every run of the tests goes through. */
export const FAULTS: readonly (readonly [name: string, fault: Fault])[] = [
  ['step-down', stepDown],
  ['kill', kill],
  ['lost answers', lostAnswers],
  ['lost commits', lostCommits],
  ['freeze', freeze],
];
