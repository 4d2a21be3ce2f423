import sortedBTree from 'sorted-btree';

/**
 * A B+ tree. The package is CommonJS with a default export: Node and Deno import the module, Bun the default export.
 */
export const BTree = sortedBTree.default ?? (sortedBTree as unknown as typeof sortedBTree.default);
