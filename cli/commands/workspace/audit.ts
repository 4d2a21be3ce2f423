import type { AuditRecord } from '../../../core/model/log/audit-record.ts';
import type { Slice } from '../../../core/kernel/record.ts';
import type { Session } from '../../../core/session.ts';
import { allItems, type SliceRequest } from '../../all-items.ts';
import type { CommandCall } from '../../call.ts';
import { csv } from '../../output/format/csv.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { asText } from '../../output/output.ts';
import { PAGING, printPages } from '../../output/paging.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { levelName, relative, roleName } from '../../config/values.ts';
import { option, type OptionValues } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

/** Names of records by id, as far as the caller may see them. */
type Names = ReadonlyMap<string, string>;

async function namesIn(workspace: WorkspaceLookup): Promise<Names> {
  const [pages, members] = [await workspace.pages(), await workspace.formerMembers()];
  const names = new Map(pages.map(({ id, name }) => [id, name]));
  for (const { id, userId, name } of members) names.set(id, name).set(userId, name);
  return names;
}

async function usersIn(session: Session): Promise<Names> {
  const names = new Map<string, string>();
  for await (const { id, name } of allItems((part) => session.users.list(part))) names.set(id, name);
  return names;
}

/** The name of a record, or else its kind: ids are in the JSON output. */
function thingText({ recordId, action }: AuditRecord, names: Names): string {
  const noun = action.split('.')[0]!;
  return names.get(recordId) ?? `(${noun === 'access' ? 'page' : noun})`;
}

/** Changed fields with their old and new values. */
function changeText({ before, after }: AuditRecord, names: Names): string {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const texts = fields.map((field) => {
    const [was, is] = [valueText(field, before?.[field], names), valueText(field, after?.[field], names)];
    const name = wordsOf(field);
    if (before === null) return is === 'none' ? '' : `${name} ${is}`;
    if (after === null) return was === 'none' ? '' : `${name} was ${was}`;
    return was === is ? '' : `${name} ${was} -> ${is}`;
  });
  return texts.filter((text) => text !== '').join(', ');
}

/** `parentId`: parent. */
function wordsOf(field: string): string {
  return field.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function valueText(field: string, value: unknown, names: Names): string {
  if (field === 'role' && typeof value === 'number') return roleName(value);
  if (field === 'defaultAccess' && typeof value === 'number') return levelName(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (field === 'entries' && typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([id, level]) => `${names.get(id) ?? id} ${levelName(Number(level))}`);
    return entries.join(' and ') || 'none';
  }
  if (Array.isArray(value) && value.length === 0) return 'none';
  const text = asText(value);
  return (names.get(text) ?? text) || 'none';
}

function columns(names: Names): readonly TableColumn<AuditRecord>[] {
  return [
    { title: 'when', text: ({ at }) => relative(at) },
    { title: 'who', cut: true, text: ({ userId }) => (userId === null ? 'operator' : (names.get(userId) ?? userId)) },
    { title: 'what', text: ({ action }) => action },
    { title: 'on', cut: true, text: (record) => thingText(record, names) },
    { title: 'change', cut: true, text: (record) => changeText(record, names) },
  ];
}

const FIELDS = ['at', 'action', 'userId', 'recordId', 'before', 'after', 'requestId', 'workspaceId', 'id'] as const;

const FORMATS = [...PAGING, option('--csv', 'print CSV')];

export const audit: Noun = {
  name: 'audit',
  summary: 'The audit trail records who changed members, access and settings, and when.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list the audit trail of a workspace, newest first',
      uses: ['audit.list'],
      options: FORMATS,
      examples: ['audit list --workspace acme --jsonl --all', 'audit list --workspace acme --csv --all > acme.csv'],
      isDefault: true,
      async run(call) {
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        await print(
          call,
          (part) => session.audit.list({ workspaceId, ...part }),
          () => namesIn(workspace),
        );
      },
    }),
    verb({
      name: 'service',
      pages: true,
      summary: 'list changes to users and tokens, newest first; for administrators and the operator',
      uses: ['audit.service'],
      options: FORMATS,
      examples: ['audit service --jsonl --all'],
      async run(call) {
        const session = await call.session();
        await print(
          call,
          (part) => session.audit.service(part),
          () => usersIn(session),
        );
      },
    }),
  ],
};

async function print(
  call: CommandCall<OptionValues<typeof FORMATS>>,
  list: (part: SliceRequest) => Promise<Slice<AuditRecord>>,
  names: () => Promise<Names>,
): Promise<void> {
  await printPages(call, list, async (records) => {
    if (call.options.csv !== true) return call.out.list(records, call.out.isJson ? [] : columns(await names()));
    const rows = records.map((record) => FIELDS.map((field) => asText(record[field])));
    call.out.raw(csv(FIELDS, rows));
  });
}
