import type { AuditRecord } from '../../core/audit/record.ts';
import type { Slice } from '../../core/record.ts';
import type { Call } from '../call.ts';
import { csv } from '../output/csv.ts';
import { asText, type Column } from '../output/output.ts';
import { pageThrough, PAGING } from '../paging.ts';
import { option, type Noun } from '../verb.ts';

const COLUMNS: readonly Column<AuditRecord>[] = [
  { title: 'at', text: ({ at }) => at },
  { title: 'action', text: ({ action }) => action },
  { title: 'by', text: ({ userId }) => userId ?? 'operator' },
  { title: 'on', text: ({ recordId }) => recordId },
  { title: 'before', cut: true, text: ({ before }) => asText(before) },
  { title: 'after', cut: true, text: ({ after }) => asText(after) },
];

const FIELDS = ['at', 'action', 'userId', 'recordId', 'before', 'after', 'requestId', 'workspaceId', 'id'] as const;

const FORMATS = [...PAGING, option('--csv', 'as comma-separated values')];

export const audit: Noun = {
  name: 'audit',
  summary: 'who did what to members, access and settings',
  verbs: [
    {
      name: 'list',
      summary: 'list the audit trail of a workspace, newest first',
      uses: ['audit.list'],
      options: FORMATS,
      examples: ['audit list --workspace acme --jsonl --all', 'audit list --workspace acme --csv --all > acme.csv'],
      isDefault: true,
      async run(call) {
        const { session, workspaceId } = await call.space();
        await print(call, (part) => session.audit.list({ workspaceId, ...part }));
      },
    },
    {
      name: 'service',
      summary: 'list who did what to users and tokens, newest first; for administrators and the operator',
      uses: ['audit.service'],
      options: FORMATS,
      examples: ['audit service --jsonl --all'],
      async run(call) {
        const session = await call.session();
        await print(call, (part) => session.audit.service(part));
      },
    },
  ],
};

type Part = { readonly limit?: number; readonly cursor?: string };

async function print(call: Call, list: (part: Part) => Promise<Slice<AuditRecord>>): Promise<void> {
  const records = await pageThrough(call, list);
  if (!call.flag('csv')) return call.out.list(records, COLUMNS);
  const rows = records.map((record) => FIELDS.map((field) => asText(record[field])));
  call.out.raw(csv(FIELDS, rows));
}
