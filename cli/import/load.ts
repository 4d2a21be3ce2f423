import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { ImportNote } from '../../adapters/formats/trello/index.ts';
import type { Espalier } from '../../adapters/service/index.ts';
import { workspaceOwner } from '../../adapters/service/look-ups.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import type { Workspace } from '../../core/model/workspace/workspace.ts';
import type { CommandCall } from '../call.ts';
import { openFile } from '../io/open-file.ts';
import { localHost } from './host.ts';
import { startsOwnExport } from './own-export.ts';
import { importTrello } from './trello.ts';

export interface LoadResult {
  readonly name: string;
  /** Alias. */
  readonly workspace: string;
  readonly workspaceId: string;
  /** Data that could not be imported unchanged, and why. */
  readonly notes: readonly ImportNote[];
}

/** Imports the data that was read. */
export type Load = (espalier: Espalier) => Promise<LoadResult>;

/**
 * Reads a Trello board, or the head of an exported workspace, before a store is created for it.
 *
 * @throws a failure for a file that is missing or is neither of the two
 */
export async function fileToLoad(call: CommandCall, file: string): Promise<Load> {
  if (await isOwnExport(call, file)) return (espalier) => loadExport(espalier, call, file);
  const { readTrelloBoard } = await import('../../adapters/formats/trello/index.ts');
  const board = readTrelloBoard(await call.read(file));
  return async (espalier) => {
    const workspace = call.settings.value('workspace');
    const host = await localHost(espalier, call.settings.value('as'), workspace);
    const done = await importTrello(host, board, { workspace, map: new Map(), includeArchived: false });
    const { board: loaded, workspace: into, notes } = done;
    return { name: loaded.name, workspace: into.alias, workspaceId: into.id, notes };
  };
}

/** A workspace that exists already is left unchanged, so that a service can be restarted with the same file. */
async function loadExport(espalier: Espalier, call: CommandCall, file: string): Promise<LoadResult> {
  const { recordsFrom } = await import('../../adapters/formats/jsonl/index.ts');
  const records = () => recordsFrom(createReadStream(resolve(call.io.cwd, file)));
  const loaded = ({ name, alias, id }: Workspace): LoadResult => ({
    name,
    workspace: alias,
    workspaceId: id,
    notes: [],
  });
  try {
    return loaded((await espalier.imports.workspace({ records: records() })).workspace);
  } catch (error) {
    if (!(error instanceof EspalierError) || error.code !== 'workspace-exists') throw error;
    for await (const { kind, record } of records()) {
      // The remains of an import that was killed block another import as well.
      if (kind === 'workspace' && (await workspaceOwner(espalier, record.id)) !== null) return loaded(record);
    }
    throw error;
  }
}

async function isOwnExport({ io }: CommandCall, path: string): Promise<boolean> {
  const file = await openFile(io.cwd, path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, 0);
    return startsOwnExport(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}
