import { resolve } from 'node:path';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { ChangeEvent } from '../../../core/model/log/change-event.ts';
import type { CommandCall } from '../../call.ts';
import { CursorFile } from '../../changes/cursor-file.ts';
import { EVENT_FILTERS, eventFilters } from '../../changes/event-filters.ts';
import { eventLine } from '../../changes/event-line.ts';
import { EventNames } from '../../changes/event-names.ts';
import { onceInReach } from '../../changes/once-in-reach.ts';
import { fileModeOf } from '../../config/file-mode.ts';
import { usage } from '../../io/failure.ts';
import { option, type OptionValues } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

const OPTIONS = [
  option('--since <cursor>', 'start after this cursor (default: now)'),
  option('--cursor-file <path>', 'save the cursor in this file, and resume from it if present'),
  ...EVENT_FILTERS,
  option('--include-records', 'include the record of each event in JSON output', { field: 'include' }),
];

export const watch: Noun = {
  name: 'watch',
  summary: 'follow changes in a workspace',
  verbs: [
    verb({
      name: '',
      summary: 'Follow the changes you can see in a workspace, until stopped.',
      uses: ['changes.watch'],
      moreFields: ['expanded'],
      options: OPTIONS,
      stopsItself: true,
      examples: [
        'watch --workspace acme',
        'watch --board Launch --kind task',
        'watch --cursor-file launch.cursor --jsonl | ./index-tasks',
      ],
      details: [
        'Ctrl-C stops it with exit code 0. Events printed after the last saved cursor are printed again by the ' +
          'next run; none is skipped. If the cursor is too old, it ends with exit code 5: read everything again.',
      ],
      run: follow,
    }),
  ],
};

async function follow(call: CommandCall<OptionValues<typeof OPTIONS>>): Promise<void> {
  const workspace = await call.workspaceUnlessStopped();
  if (workspace === undefined) return;
  const { session, workspaceId } = workspace;
  const { since, cursorFile, includeRecords } = call.options;
  const file =
    cursorFile === undefined ? undefined : new CursorFile(resolve(call.io.cwd, cursorFile), fileModeOf(call.settings));
  const kept = await file?.read();
  const from = kept ?? since;
  const { isForPeople, takesNames } = call.out;
  const names = isForPeople || takesNames ? await EventNames.of(workspace) : undefined;
  let cursor = from;
  let isOpen = false;
  const onCursor = (now: string) => {
    if (!isOpen && isForPeople) call.out.note('Watching. Press Ctrl-C to stop.');
    isOpen = true;
    cursor = now;
    file?.write(now);
  };
  const input = {
    workspaceId,
    ...(from === undefined ? {} : { since: from }),
    ...(await eventFilters(workspace, call.options)),
    ...(includeRecords === true || isForPeople ? { include: ['record' as const] } : {}),
    signal: file === undefined ? call.io.stop : AbortSignal.any([call.io.stop, file.failed]),
  };
  try {
    for await (const event of session.changes.watch(input, { onCursor })) {
      if (!(await onceInReach(async () => names?.learn(event), input.signal))) break;
      if (isForPeople && names !== undefined) call.out.raw(eventLine(event, names, call.out.style));
      else call.out.record<ChangeEvent>(names?.expanded(event) ?? event, []);
      await call.io.stdout.flushed();
      await file?.settled();
    }
  } catch (error) {
    if (kept !== undefined && isAboutCursor(error)) {
      throw usage(
        `${cursorFile} does not contain a cursor.`,
        'Use another file, or delete this one to start from now.',
      );
    }
    throw error;
  }
  await file?.settled();
  if (cursor !== undefined && isForPeople) call.out.note(`For later changes: use --since ${cursor}`);
}

function isAboutCursor(error: unknown): boolean {
  return error instanceof EspalierError && error.code === 'invalid-input' && error.errors[0]?.pointer === '/since';
}
