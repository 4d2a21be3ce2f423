import sortedBTree from 'sorted-btree';

/**
 * Ordered keys in memory. The package is CommonJS with a default export: Node and Deno give the module, Bun what it
 * exports by default.
 */
export const BTree = sortedBTree.default ?? (sortedBTree as unknown as typeof sortedBTree.default);
