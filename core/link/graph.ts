import {
  ACYCLIC,
  linkedAs,
  type LinkEnd,
  linksOf,
  mostLinks,
  oppositeOf,
  type TaskLinks,
} from '../model/content/task-links.ts';
import { visitItems } from '../kernel/stepwise.ts';
import type { Task } from '../model/content/task.ts';
import type { Yielder } from '../ports/yielder.ts';

/** What is wrong with the links of one task. */
export interface LinkFault {
  readonly id: string;
  readonly detail: string;
}

interface GraphNode {
  readonly links: TaskLinks;
  readonly isReported: boolean;
}

/** The links of all tasks of a workspace, to be checked together. In memory: the tasks that have any. */
export class LinkGraph {
  readonly #nodes = new Map<string, GraphNode>();

  /** @param isReported false for a task that is being removed: its links may have lost their other ends */
  add({ id, links }: Pick<Task, 'id' | 'links'>, isReported = true): void {
    if (links !== undefined) this.#nodes.set(id, { links, isReported });
  }

  /** Links without their other end, beyond the bounds, or on a cycle. O(links), in steps. */
  async *faults(yielder: Yielder): AsyncIterableIterator<LinkFault> {
    for (const [id, node] of this.#nodes) {
      if (!node.isReported) continue;
      for (const detail of this.#faultsOf(id, node)) yield { id, detail };
      const pause = yielder.step();
      if (pause !== null) await pause;
    }
    for (const end of ACYCLIC) {
      for await (const id of this.#onCycles(end, yielder)) {
        yield { id, detail: `is on a cycle of links, or leads to one: ${end}` };
      }
    }
  }

  *#faultsOf(id: string, node: GraphNode): IterableIterator<string> {
    const count = new Map<LinkEnd, number>();
    for (const [end, otherId] of linksOf(node)) {
      count.set(end, (count.get(end) ?? 0) + 1);
      const other = this.#nodes.get(otherId);
      if (otherId === id) yield `is linked to itself: ${end}`;
      else if (other === undefined || !linkedAs(other, oppositeOf(end)).includes(id)) {
        yield `has a link that is missing at the other end: ${end} ${otherId}`;
      }
    }
    for (const [end, size] of count) {
      if (size > mostLinks(end)) yield `has ${size} links of a kind: ${end}`;
    }
  }

  /**
   * The tasks on cycles of links of a kind, and those from which such links lead into one: what is left when tasks
   * without such a link are taken away again and again.
   */
  async *#onCycles(end: LinkEnd, yielder: Yielder): AsyncIterableIterator<string> {
    const left = new Map<string, number>();
    const ended: string[] = [];
    const note = ([id, node]: readonly [string, GraphNode]): void => {
      const count = linkedAs(node, end).length;
      left.set(id, count);
      if (count === 0) ended.push(id);
    };
    await visitItems(this.#nodes, yielder, note);
    for (let id = ended.pop(); id !== undefined; id = ended.pop()) {
      left.delete(id);
      for (const before of linkedAs(this.#nodes.get(id)!, oppositeOf(end))) {
        const count = left.get(before);
        if (count === undefined) continue;
        left.set(before, count - 1);
        if (count === 1) ended.push(before);
      }
      const pause = yielder.step();
      if (pause !== null) await pause;
    }
    for (const id of left.keys()) if (this.#nodes.get(id)!.isReported) yield id;
  }
}
