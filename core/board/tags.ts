import type { BoardAddress } from '../model/address.ts';
import type { Context } from '../ports/context.ts';
import { conflict, found } from '../kernel/errors.ts';
import { newMetadata, recordChanges, withMetadata, type WritesMetadata } from '../model/metadata.ts';
import { changed, created, expectVersion, timestamp } from '../kernel/record.ts';
import { detach } from '../task/detach.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import { RECORDS_AT_ONCE } from '../jobs/step.ts';
import type { JobAddress } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';
import { originOf } from '../write/journal/journal.ts';
import { requireFewRemovals, requireNotBeingRemoved } from './being-removed.ts';
import { tagView, type TagView } from './view.ts';
import { foldCase } from '../model/content/task-query.ts';
import type { Board, Tag } from '../model/content/board.ts';
import { editBoard, replaceParts } from './edit.ts';

/** What `tags.create` takes: a new tag. */
export interface CreateTag extends BoardAddress, WritesMetadata {
  /** 1-100 characters, trimmed; unique on the board ignoring case. */
  readonly name: string;
  /** A CSS colour name or `#rrggbb`. Default `gray`. */
  readonly color?: string;
}

/** Which tag of a board: what `tags.delete` takes. */
export interface TagAddress extends BoardAddress {
  /** The tag. */
  readonly tagId: string;
}

/** What `tags.update` takes: a tag, and the fields to change. */
export interface UpdateTag extends TagAddress, WritesMetadata {
  /** 1-100 characters, trimmed; unique on the board ignoring case. */
  readonly name?: string;
  /** A CSS colour name or `#rrggbb`. */
  readonly color?: string;
}

const DEFAULT_COLOR = 'gray';

/** @throws `tag-name-taken` */
export function createTag(context: Context, input: CreateTag): Promise<TagView> {
  return editBoard(context, input, async (tx, _viewer, board) => {
    const at = timestamp(context);
    const tag: Tag = {
      id: context.ids.next(),
      name: input.name.trim(),
      color: (input.color ?? DEFAULT_COLOR).toLowerCase(),
      ...newMetadata(input.metadata),
      ...created(at),
    };
    requireFreeName(board, tag);
    await replaceParts(tx, board, changed(board, { tags: [...board.tags, tag] }, at));
    return tagView(tag);
  });
}

/** @throws `tag-name-taken`, `being-removed` */
export function updateTag(context: Context, input: UpdateTag): Promise<TagView> {
  return editBoard(context, input, async (tx, _viewer, board) => {
    const tag = tagOf(board, input.tagId);
    expectVersion(context, tag);
    const ids = ['workspaceId', 'boardId', 'tagId'];
    const { changes, metadata, isEmpty } = recordChanges(tag, input, tagView(tag), ['name', 'color'], ids);
    if (isEmpty) return tagView(tag);
    requireNotBeingRemoved(tag, 'tag');
    const at = timestamp(context);
    const name = changes.name?.trim() ?? tag.name;
    const next = changed(withMetadata(tag, metadata), { name, color: (changes.color ?? tag.color).toLowerCase() }, at);
    requireFreeName(board, next);
    const tags = board.tags.map((other) => (other.id === tag.id ? next : other));
    await replaceParts(tx, board, changed(board, { tags }, at));
    return tagView(next);
  });
}

/**
 * Also takes it off its tasks. If these are many, a stored job does it and the call returns when that is done. Other
 * calls run in between and see the tag with `beingRemoved`. A second deletion of the same tag waits for the same job.
 */
export async function deleteTag(context: Context, input: TagAddress): Promise<void> {
  const job = await editBoard(context, input, (tx, _viewer, board) => removeTag(tx, context, board, input.tagId));
  if (job !== null) await context.jobs.finish(job);
}

/** @returns the job that does the rest, or null if the removal is complete */
async function removeTag(tx: Transaction, context: Context, board: Board, tagId: string): Promise<JobAddress | null> {
  const { workspaceId } = board;
  const tag = tagOf(board, tagId);
  expectVersion(context, tag);
  if (tag.removal !== undefined) return { workspaceId, id: tag.removal.jobId };
  const at = timestamp(context);
  if (!(await detach(tx, workspaceId, 'tags', tagId, RECORDS_AT_ONCE, at))) {
    await tx.boards.replace(changed(board, { tags: board.tags.filter((other) => other !== tag) }, at));
    return null;
  }
  await requireFewRemovals(tx, workspaceId);
  const removal = { jobId: context.ids.next() };
  const going = changed(tag, { removal }, at);
  await tx.boards.replace(changed(board, { tags: board.tags.map((other) => (other === tag ? going : other)) }, at));
  const job = { kind: 'tag-removal', id: removal.jobId, workspaceId, boardId: board.id, tagId } as const;
  await enqueueJob(tx, context, { ...job, notBefore: null, origin: originOf(context) });
  return job;
}

/** Equal for the names that tags of one board may not share. */
export function tagKey({ name }: { readonly name: string }): string {
  return foldCase(name.normalize('NFC'));
}

/** By board record, which is immutable. */
const known = new WeakMap<Board, ReadonlyMap<string, Tag>>();

/** The tags of a board by the keys of their names. O(tags) once per version of a board, then O(1). */
export function tagsByKey(board: Board): ReadonlyMap<string, Tag> {
  let tags = known.get(board);
  if (tags === undefined) known.set(board, (tags = new Map(board.tags.map((tag) => [tagKey(tag), tag]))));
  return tags;
}

/**
 * The tags of the same names on another board, except those in removal on either. O(tags of both) once per version of
 * that board, then O(tags of the source).
 */
export function tagsOfSameNames(board: Board, source: Board, tagIds: readonly string[]): readonly string[] {
  if (board.id === source.id || tagIds.length === 0) return tagIds;
  const taken = new Set(tagIds);
  const there = tagsByKey(board);
  return source.tags.flatMap((tag) => {
    if (tag.removal !== undefined || !taken.has(tag.id)) return [];
    const same = there.get(tagKey(tag));
    return same === undefined || same.removal !== undefined ? [] : same.id;
  });
}

function requireFreeName(board: Board, tag: Tag): void {
  const key = tagKey(tag);
  if (board.tags.some((other) => other.id !== tag.id && tagKey(other) === key)) {
    throw conflict('tag-name-taken', 'The board already has a tag with this name.');
  }
}

function tagOf(board: Board, tagId: string): Tag {
  return found(board.tags.find((tag) => tag.id === tagId));
}
