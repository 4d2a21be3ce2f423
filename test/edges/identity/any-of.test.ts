import { expect } from 'chai';
import { anyOf } from '../../../adapters/identity/index.ts';
import type { Caller } from '../../../core/ports/context.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Identity } from '../../../core/ports/identity.ts';

const knows = (userId: string): Identity => ({ authenticate: () => Promise.resolve<Caller>({ kind: 'user', userId }) });
const nobody: Identity = { authenticate: () => Promise.resolve(null) };
const fails = (reason: Error): Identity => ({ authenticate: () => Promise.reject(reason) });
const refuses = (detail: string) => fails(new EspalierError('unauthenticated', detail));

describe('identities side by side', () => {
  const told = (...identities: Identity[]): Promise<unknown> =>
    anyOf(identities)
      .authenticate('Bearer x')
      .catch((error: unknown) => (error instanceof EspalierError ? `${error.code} ${error.detail}` : error));

  it('know whom the first of them knows, also behind one that refuses', async () => {
    expect(await told(nobody, knows('a'), knows('b'))).to.deep.equal({ kind: 'user', userId: 'a' });
    expect(await told(refuses('no'), knows('b'))).to.deep.equal({ kind: 'user', userId: 'b' });
  });

  it('refuse with the first reason where none knows, and know nobody where none has one', async () => {
    expect(await told(nobody, refuses('first'), refuses('second'), nobody)).to.equal('unauthenticated first');
    expect(await told(nobody, nobody)).to.equal(null);
    expect(await told()).to.equal(null);
  });

  it('fail at once with one that cannot tell', async () => {
    const away = new EspalierError('issuer-unavailable', 'It is away.');
    expect(await told(fails(away), knows('b'))).to.equal('issuer-unavailable It is away.');
    const unforeseen = new TypeError('unforeseen');
    expect(await told(fails(unforeseen), knows('b'))).to.equal(unforeseen);
  });
});
