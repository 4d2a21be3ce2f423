import { createEspalier, openStore, type Espalier } from '../../../adapters/service/index.ts';
import { startService } from '../../../adapters/http/index.ts';
import { join } from 'node:path';
import { cliDirectory, type Around, type CliDirectory, type Ran } from './in-process.ts';

export interface Target {
  readonly here: CliDirectory;
  /** Runs as Ada, an administrator; with `as` as Ben. */
  run(args: readonly string[], around?: Around): Promise<Ran>;
  ok(args: readonly string[], around?: Around): Promise<Ran>;
  asBen(args: readonly string[]): Promise<Ran>;
  close(): Promise<void>;
}

export const ADA = 'ada@example.org';
export const BEN = 'ben@example.org';

export async function onStore(): Promise<Target> {
  const here = await cliDirectory();
  here.env['ESPALIER_STORE'] = 'file:here.db';
  await here.ok(['user', 'create', '--name', 'Ada', '--email', ADA, '--administrator']);
  await here.ok(['user', 'create', '--name', 'Ben', '--email', BEN]);
  here.env['ESPALIER_AS'] = ADA;
  const { run, ok } = here;
  return { here, run, ok, asBen: (args) => here.run(args, { env: { ESPALIER_AS: BEN } }), close: () => here.close() };
}

export async function onService(): Promise<Target> {
  const here = await cliDirectory();
  const espalier: Espalier = createEspalier({ store: await openStore(`file:${join(here.path, 'here.db')}`) });
  const tokenFor = async (name: string, email: string, administrator: boolean) => {
    const { id } = await espalier.users.create({ name, email, administrator });
    return (await espalier.tokens.createFor({ userId: id, name: 'test' })).token;
  };
  const [ada, ben] = [await tokenFor('Ada', ADA, true), await tokenFor('Ben', BEN, false)];
  const { engine, identity } = espalier;
  const service = await startService({ engine, identity, ready: () => espalier.store.ready(), port: 0 });
  here.env['ESPALIER_URL'] = service.url;
  here.env['ESPALIER_TOKEN'] = ada;
  const { run, ok } = here;
  return {
    here,
    run,
    ok,
    asBen: (args) => here.run(args, { env: { ESPALIER_TOKEN: ben } }),
    async close() {
      await service.close();
      await espalier.close();
      await here.close();
    },
  };
}
