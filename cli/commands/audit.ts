import type { AuditRecord } from '../../core/audit/record.ts';
import type { Column } from '../output/output.ts';
import { pageThrough, PAGING } from '../paging.ts';
import type { Noun } from '../verb.ts';

const COLUMNS: readonly Column<AuditRecord>[] = [
  { title: 'at', text: ({ at }) => at },
  { title: 'action', text: ({ action }) => action },
  { title: 'by', text: ({ userId }) => userId ?? 'operator' },
  { title: 'on', text: ({ recordId }) => recordId },
  { title: 'before', cut: true, text: ({ before }) => (before === null ? '' : JSON.stringify(before)) },
  { title: 'after', cut: true, text: ({ after }) => (after === null ? '' : JSON.stringify(after)) },
];

export const audit: Noun = {
  name: 'audit',
  summary: 'who did what to members, access and settings',
  verbs: [
    {
      name: 'list',
      summary: 'list the audit trail of a workspace, newest first',
      uses: ['audit.list'],
      options: PAGING,
      examples: ['audit list --workspace acme --jsonl --all'],
      async run(call) {
        const { session, workspaceId } = await call.space();
        await call.out.list(await pageThrough(call, (part) => session.audit.list({ workspaceId, ...part })), COLUMNS);
      },
    },
  ],
};
