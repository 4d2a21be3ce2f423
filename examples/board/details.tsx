import { describeAccessStep, describeHistoryEntry } from 'espalier/client';
import { useEffect, useState } from 'preact/hooks';
import type { Records } from './records.ts';
import { messageOf, type Card } from './session.ts';

interface DetailsProps {
  readonly summary: string;
  readonly records: Records;
  readonly card: Card;
  readonly read: (records: Records, card: Card) => Promise<readonly string[]>;
}

/** Lines about a card, which are read as long as they are shown. */
export function Details({ summary, records, card, read }: DetailsProps) {
  const [isOpen, setOpen] = useState(false);
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    if (isOpen) read(records, card).then(setLines, (error: unknown) => setLines([messageOf(error)]));
  }, [isOpen, card]);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      <ol>
        {lines.map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ol>
    </details>
  );
}

/** Why one may do what one may with a card: the steps of the service, in its order. The last one decides. */
export async function accessLines({ session, workspace }: Records, card: Card): Promise<readonly string[]> {
  const address = { workspaceId: card.workspaceId, pageId: card.pageId ?? card.boardId! };
  const { steps } = await session.access.explain({ ...address, expand: ['page'] });
  return steps.map((step) => `${step.expanded?.page?.name ?? workspace!.name}: ${describeAccessStep(step)}`);
}

/** What was done to a card, newest first, a sentence each. */
export async function historyLines(records: Records, { id }: Card): Promise<readonly string[]> {
  const { items, next } = await records.session.tasks.history(records.addressOf(id));
  const lines = items.map((entry) => {
    const when = entry.at.slice(0, 16).replace('T', ' ');
    return `${when} ${records.nameOf(entry.byId)} ${describeHistoryEntry(entry)}.`;
  });
  return next === null ? lines : [...lines, 'What was before that is not shown here.'];
}
