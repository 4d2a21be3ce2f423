import { FILE_MODE } from '../../config/file-mode-option.ts';
import { Failure } from '../../io/failure.ts';
import { progressOf } from '../../io/progress.ts';
import { writeFileOrStdout } from '../../io/written-file.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

export const snapshot: Noun = {
  name: 'snapshot',
  summary: 'export all that you see of a workspace',
  verbs: [
    verb({
      name: '',
      summary:
        'Export all that the caller sees of a workspace as JSON Lines, as it was at one cursor: for replicas and search engines, which follow from there with espalier changes.',
      uses: ['changes.snapshot'],
      examples: [
        'snapshot --workspace acme --out acme.jsonl',
        'snapshot | jq -r \'select(.kind == "task") | .record.title\'',
      ],
      options: [option('--out <file>', 'where to (default: the standard output)'), FILE_MODE],
      details: [
        'The first line has the cursor, the last a checksum. A snapshot takes at most 240 seconds; one that breaks off has no last line, and ends with 1.',
      ],
      stopsItself: true,
      async run(call) {
        call.out.requireUnformatted();
        const { session, workspaceId } = await call.workspace();
        const { snapshotTo } = await import('../../../adapters/formats/jsonl/index.ts');
        const progress = progressOf(call.io, 'records');
        const { stop } = call.io;
        let cursor = '';
        await writeFileOrStdout(call, call.options.out ?? '-', async (out) => {
          const lines = snapshotTo(out);
          try {
            for await (const item of session.changes.snapshot({ workspaceId }, { signal: stop })) {
              if (item.kind === 'head') cursor = item.cursor;
              await lines.write(item);
              progress.step();
            }
          } catch (error) {
            throw stop.aborted ? new Failure('interrupted', 'Interrupted.', [], { cause: error }) : error;
          }
          await lines.end();
          progress.end();
        });
        call.out.note(`Changes after it: espalier changes --since ${cursor}`);
      },
    }),
  ],
};
