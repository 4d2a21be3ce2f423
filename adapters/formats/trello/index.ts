export { archivedLists, isArchived, trelloDraft, type TrelloDraft, type TrelloImport } from './board.ts';
export type { ImportNote } from './notes.ts';
export { trelloUsers } from './people.ts';
export { readTrelloBoard } from './read.ts';
export type { TrelloBoard, TrelloCard } from './shape.ts';
export { cutTo } from './text.ts';
