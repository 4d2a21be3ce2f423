import { FILE_MODE } from '../../config/file-mode-option.ts';
import { Failure } from '../../io/failure.ts';
import { progressOf } from '../../io/progress.ts';
import { writeFileOrStdout } from '../../io/written-file.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

export const snapshot: Noun = {
  name: 'snapshot',
  summary: 'export everything you can see in a workspace',
  verbs: [
    verb({
      name: '',
      summary:
        'Export everything you can see in a workspace at one cursor, as JSON Lines, for replicas and search engines; follow up with espalier changes.',
      uses: ['changes.snapshot'],
      examples: [
        'snapshot --workspace acme --out acme.jsonl',
        'snapshot | jq -r \'select(.kind == "task") | .record.title\'',
      ],
      options: [option('--out <file>', 'output file (default: standard output)'), FILE_MODE],
      details: [
        'The first line has the cursor, the last a checksum. A snapshot takes at most 240 seconds; an incomplete one has no last line and exits with 1.',
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
        call.out.note(`For later changes: espalier changes --since ${cursor}`);
      },
    }),
  ],
};
