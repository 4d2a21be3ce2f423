import { mongodbStore } from '../../../../adapters/store-mongodb/index.ts';

/** Run by fork: begins to write in a workspace, tells so, and never goes on. */
export interface Holder {
  readonly url: string;
  readonly dbName: string;
  readonly workspaceId: string;
}

process.once('message', ({ url, dbName, workspaceId }: Holder) => {
  void mongodbStore({ url, dbName }).write(async (tx) => {
    await tx.structures.get(workspaceId);
    process.send?.('held');
    await new Promise(() => undefined);
  });
});
