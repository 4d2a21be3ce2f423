import type { CommandCall } from '../../call.ts';
import { lockOf } from '../../../adapters/store-embedded/files/lock-file.ts';
import { storeFile } from '../../config/connection.ts';
import { fileModeOf } from '../../config/file-mode.ts';
import { openFiles, type OpenFile } from '../../config/open-files.ts';
import { Failure, usage } from '../../io/failure.ts';
import { count } from '../../output/table/count.ts';
import { type Noun, verb } from '../../verb.ts';
import { safe } from '../../io/safe-text.ts';

export const doctor: Noun = {
  name: 'doctor',
  summary: 'check the integrity of a store',
  verbs: [
    verb({
      name: '',
      summary:
        'Check every record of the store, and report broken rules and files open to others. Changes nothing; exits with 1 if a rule is broken.',
      uses: ['doctor.check'],
      moreFields: ['workspaces', 'pages', 'tasks', 'comments', 'findings', 'openFiles'],
      examples: ['doctor --store file:espalier.db', 'doctor --store file:espalier.db --json'],
      async run(call) {
        const { session, local } = await call.connection();
        if (local === null) throw usage('doctor needs direct access to the store: run it there with --store.');
        const report = await session.doctor.check();
        const open = await openFilesOf(call);
        const { findings, ...counts } = report;
        if (!call.out.isForPeople) call.out.show({ ...report, openFiles: open }, () => safe``);
        else if (findings.length > 0) {
          await call.out.list(findings, [
            { title: 'rule', text: ({ rule }) => rule },
            { title: 'what', cut: true, text: ({ detail }) => detail },
            { title: 'id', text: ({ id }) => id },
            { title: 'workspace', text: ({ workspaceId }) => workspaceId ?? '' },
          ]);
        }
        const { workspaces, pages, tasks, comments } = counts;
        call.out.note(
          `Checked ${count(workspaces, 'workspace')}, ${count(pages, 'page')}, ${count(tasks, 'task')} and ${count(comments, 'comment')}.`,
        );
        for (const { path, mode, to } of open) {
          const whom = to === 'group' ? 'the group of the file' : 'everyone';
          call.out.note(`Open to ${whom} (${mode}): ${path}. To fix: chmod 600 ${path}`);
        }
        if (findings.length > 0) {
          throw new Failure('failed', `Found ${count(findings.length, 'problem')}.`, [
            'Keep a copy of the store and report this as a bug.',
          ]);
        }
        call.out.note('No problems found.');
      },
    }),
  ],
};

/** The files of the store, and the profile file, which holds tokens. */
async function openFilesOf({ settings, io }: CommandCall): Promise<readonly OpenFile[]> {
  const target = settings.target();
  const store = target.kind === 'store' ? storeFile(target.url, io.cwd) : null;
  return [
    ...(await openFiles(store === null ? [] : [store, lockOf(store)], fileModeOf(settings))),
    ...(await openFiles(settings.profilePath === null ? [] : [settings.profilePath], 0o600)),
  ];
}
