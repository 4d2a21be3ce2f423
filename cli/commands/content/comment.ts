import type { CommentView } from '../../../core/comment/view.ts';
import { TASK } from '../../args.ts';
import type { CommandCall } from '../../call.ts';
import { confirm, YES } from '../../io/confirm.ts';
import { withMember } from '../../output/record/members.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { changesGiven } from '../../config/changes-given.ts';
import { METADATA_OPTION, METADATA_COLUMN, metadataGiven } from '../../config/metadata.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import { relative } from '../../config/values.ts';
import { option } from '../../option.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { type Noun, verb } from '../../verb.ts';

const COLUMNS: readonly TableColumn<CommentView>[] = [
  { title: 'written', text: ({ createdAt }) => relative(createdAt) },
  { title: 'by', cut: true, text: ({ expanded }) => expanded?.author?.name ?? '' },
  { title: 'content', cut: true, minWidth: 24, text: ({ content }) => content },
  { title: 'id', dropOrder: 1, text: ({ id }) => id },
  METADATA_COLUMN,
];

const COMMENT = { spec: '<comment>', summary: 'id, as task show prints it' };
const TEXT = { spec: '<text>', summary: 'Markdown; - for standard input, @FILE for a file', field: 'content' };

async function atTask(call: CommandCall) {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  return { workspace, session, workspaceId, taskId: await workspace.task(call.arg(0)) };
}

/** One comment, with the name of its author. */
async function print(call: CommandCall, workspace: WorkspaceLookup, comment: CommentView): Promise<void> {
  const [shown] = await withMember(call, workspace, [comment], 'authorId');
  call.out.record(shown!, COLUMNS);
}

function textOf(call: CommandCall, index: number): Promise<string> {
  return call.longText(call.arg(index));
}

/** Also available as `task comment`. */
export const create = verb({
  name: 'create',
  summary: 'comment on a task',
  uses: ['comments.create'],
  moreFields: ['expanded'],
  args: [TASK, TEXT],
  options: [option('--external-id <id>', 'id in another system'), METADATA_OPTION],
  examples: ['comment create "#2" "Looks good."', 'comment create "#2" - < notes.md'],
  async run(call) {
    const { workspace, session, workspaceId, taskId } = await atTask(call);
    const { externalId, metadata } = call.options;
    const more = withoutUndefined({ externalId, metadata: metadataGiven(metadata) });
    const content = await textOf(call, 1);
    await print(call, workspace, await session.comments.create({ workspaceId, taskId, content, ...more }));
  },
});

export const comment: Noun = {
  name: 'comment',
  summary: 'Comments on a task are written in Markdown; members edit and delete their own.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list the comments of a task',
      args: [TASK],
      examples: ['comment list "#2" --json'],
      async run(call) {
        const { session, workspaceId, taskId } = await atTask(call);
        const { comments } = await session.tasks.get({ workspaceId, taskId, expand: ['author'] });
        await call.out.list(comments, COLUMNS);
      },
    }),
    create,
    verb({
      name: 'edit',
      summary: 'edit one of your comments',
      uses: ['comments.update'],
      moreFields: ['expanded'],
      args: [TASK, COMMENT, { ...TEXT, spec: '[text]' }],
      options: [METADATA_OPTION],
      examples: ['comment edit "#2" "$COMMENT" "Looks very good."'],
      async run(call) {
        const { workspace, session, workspaceId, taskId } = await atTask(call);
        const changes = changesGiven({
          content: call.args[2] === undefined ? undefined : await textOf(call, 2),
          metadata: metadataGiven(call.options.metadata),
        });
        const address = { workspaceId, taskId, commentId: call.arg(1) };
        await print(call, workspace, await session.comments.update({ ...address, ...changes }));
      },
    }),
    verb({
      name: 'delete',
      summary: 'delete a comment',
      uses: ['comments.delete'],
      args: [TASK, COMMENT],
      options: [YES],
      examples: ['comment delete "#2" 01a202c6-fa52-75ec-ad0b-7a229eca4299 --yes'],
      async run(call) {
        const { session, workspaceId, taskId } = await atTask(call);
        await confirm(call, 'Deleting the comment');
        await session.comments.delete({ workspaceId, taskId, commentId: call.arg(1) });
        call.out.note('Deleted the comment.');
      },
    }),
  ],
};
