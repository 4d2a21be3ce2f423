import type { Context } from '../ports/context.ts';
import { conflict, found } from '../kernel/errors.ts';
import { changesOf } from '../kernel/partial-update.ts';
import { changed, created, expectVersion, timestamp } from '../kernel/record.ts';
import { detachEverywhere } from '../task/detach.ts';
import { foldCase } from '../model/task-query.ts';
import type { Board, Tag } from '../model/board.ts';
import { editBoard, type BoardAddress } from './edit.ts';

export interface CreateTag extends BoardAddress {
  readonly name: string;
  /** A CSS colour name or `#rrggbb`. Default `gray`. */
  readonly color?: string;
}

export interface TagAddress extends BoardAddress {
  readonly tagId: string;
}

export interface UpdateTag extends TagAddress {
  readonly name?: string;
  readonly color?: string;
}

const DEFAULT_COLOR = 'gray';

/** @throws `tag-name-taken` */
export function createTag(context: Context, input: CreateTag): Promise<Tag> {
  return editBoard(context, input, async (tx, _viewer, board) => {
    const at = timestamp(context);
    const tag: Tag = {
      id: context.ids.next(),
      name: input.name.trim(),
      color: (input.color ?? DEFAULT_COLOR).toLowerCase(),
      ...created(at),
    };
    requireFreeName(board, tag);
    await tx.boards.replace(changed(board, { tags: [...board.tags, tag] }, at));
    return tag;
  });
}

/** @throws `tag-name-taken` */
export function updateTag(context: Context, input: UpdateTag): Promise<Tag> {
  return editBoard(context, input, async (tx, _viewer, board) => {
    const tag = tagOf(board, input.tagId);
    expectVersion(context, tag);
    const changes = changesOf(input, tag, ['name', 'color'], ['workspaceId', 'boardId', 'tagId']);
    if (Object.keys(changes).length === 0) return tag;
    const at = timestamp(context);
    const name = changes.name?.trim() ?? tag.name;
    const next = changed(tag, { name, color: (changes.color ?? tag.color).toLowerCase() }, at);
    requireFreeName(board, next);
    await tx.boards.replace(
      changed(board, { tags: board.tags.map((other) => (other.id === tag.id ? next : other)) }, at),
    );
    return next;
  });
}

/** Takes it off its tasks as well. */
export function deleteTag(context: Context, input: TagAddress): Promise<void> {
  return editBoard(context, input, async (tx, _viewer, board) => {
    const tag = tagOf(board, input.tagId);
    expectVersion(context, tag);
    const at = timestamp(context);
    await detachEverywhere(tx, board.workspaceId, 'tags', tag.id, at);
    await tx.boards.replace(changed(board, { tags: board.tags.filter((other) => other.id !== tag.id) }, at));
  });
}

export function sameName(a: { readonly name: string }, b: { readonly name: string }): boolean {
  return foldCase(a.name.normalize('NFC')) === foldCase(b.name.normalize('NFC'));
}

function requireFreeName(board: Board, tag: Tag): void {
  if (board.tags.some((other) => other.id !== tag.id && sameName(other, tag))) {
    throw conflict('tag-name-taken', 'The board has a tag of this name already.');
  }
}

function tagOf(board: Board, tagId: string): Tag {
  return found(board.tags.find((tag) => tag.id === tagId));
}
