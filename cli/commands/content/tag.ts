import type { TagView } from '../../../core/board/view.ts';
import { confirm, YES } from '../../io/confirm.ts';
import { nameText } from '../../output/record/being-removed.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { METADATA_OPTION, METADATA_COLUMN, metadataGiven } from '../../config/metadata.ts';
import { changesGiven } from '../../config/changes-given.ts';
import { withoutUndefined } from '../../config/without-undefined.ts';
import { BOARD, boardPartOf, ITS_BOARD, boardOfCall } from '../../refs/board-part.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

const COLUMNS: readonly TableColumn<TagView>[] = [
  { title: 'name', cut: true, text: nameText },
  { title: 'colour', text: ({ color }) => color },
  { title: 'id', wide: true, text: ({ id }) => id },
  METADATA_COLUMN,
];

const TAG = { spec: '<tag>', summary: 'name or id' };
const COLOUR = option('--color <colour>', 'a CSS colour name or #rrggbb');
const NEW_COLOUR = { ...COLOUR, summary: `${COLOUR.summary} (default: gray)` };

export const tag: Noun = {
  name: 'tag',
  summary: 'A tag belongs to a board and labels its tasks with a name and a colour.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list the tags of a board',
      options: [BOARD],
      examples: ['tag list --board Launch'],
      async run(call) {
        const { workspace, boardId } = await boardOfCall(call);
        await call.out.list((await workspace.boardView(boardId)).tags, COLUMNS);
      },
    }),
    verb({
      name: 'create',
      summary: 'add a tag to a board',
      uses: ['tags.create'],
      options: [BOARD, option('--name <name>', 'name of the tag', { required: true }), NEW_COLOUR, METADATA_OPTION],
      examples: ['tag create --board Launch --name bug --color crimson'],
      async run(call) {
        const { session, workspaceId, boardId } = await boardOfCall(call);
        const { name, color, metadata } = call.options;
        const given = { name, ...withoutUndefined({ color, metadata: metadataGiven(metadata) }) };
        call.out.record(await session.tags.create({ workspaceId, boardId, ...given }), COLUMNS);
      },
    }),
    verb({
      name: 'edit',
      summary: 'edit a tag',
      uses: ['tags.update'],
      args: [TAG],
      options: [ITS_BOARD, option('--name <name>', 'new name'), COLOUR, METADATA_OPTION],
      examples: ['tag edit docs --color "#dc143c"'],
      async run(call) {
        const { session, workspaceId, boardId, id: tagId } = await boardPartOf(call, 'tag');
        const { name, color, metadata } = call.options;
        const changes = changesGiven({ name, color, metadata: metadataGiven(metadata) });
        call.out.record(await session.tags.update({ workspaceId, boardId, tagId, ...changes }), COLUMNS);
      },
    }),
    verb({
      name: 'delete',
      summary: 'delete a tag and remove it from its tasks',
      uses: ['tags.delete'],
      args: [TAG],
      options: [ITS_BOARD, YES],
      examples: ['tag delete docs --board Launch --yes'],
      async run(call) {
        const { session, workspaceId, boardId, id: tagId } = await boardPartOf(call, 'tag');
        await confirm(call, `Deleting tag ${call.arg(0)}`);
        await session.tags.delete({ workspaceId, boardId, tagId });
        call.out.note(`Deleted tag ${call.arg(0)}.`);
      },
    }),
  ],
};
