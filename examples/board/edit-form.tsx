import { useEffect, useState } from 'preact/hooks';
import { Overtaken, updateCard, type OpenBoard } from './board-state.ts';
import { Choice, textIn, useForm, type Options } from './form.tsx';
import { LEVEL, type Board, type FullCard, type Session } from './session.ts';

const PRIORITIES = { 0: 'None', 100: 'Low', 200: 'Medium', 300: 'High', 400: 'Urgent' };

interface EditProps {
  readonly session: Session;
  readonly board: Board | undefined;
  readonly open: OpenBoard | undefined;
  readonly card: FullCard;
  /** The page that decides who may be assigned. */
  readonly pageId: string;
  readonly onSaved: () => void;
}

/** Sends what was changed and nothing else, for the version that it was changed in. */
export function EditForm({ session, board, open, card, pageId, onSaved }: EditProps) {
  const { workspaceId, id: taskId } = card;
  /** What the fields started from, and what somebody else made of it meanwhile. */
  const [base, setBase] = useState(card);
  const [theirs, setTheirs] = useState(card);
  const [members, setMembers] = useState<Options>([]);
  useEffect(() => {
    void session.access.members({ workspaceId, pageId, expand: ['member'] }).then((all) => {
      const able = all.filter(({ access }) => access >= LEVEL.view);
      setMembers(able.map(({ memberId, expanded }) => [memberId, expanded?.member?.name ?? 'Somebody']));
    });
  }, [pageId]);
  const tags: Options = board?.tags.map(({ id, name }) => [id, name]) ?? [];
  const names = new Map([...tags, ...members]);
  const now = writtenOf(base);
  const { onSubmit, isBusy, alert } = useForm(async (given) => {
    const change = differences(now, writtenIn(given, now, names));
    const { plannedStartDate: dateStart = base.dateStart, plannedEndDate: dateEnd = base.dateEnd, ...plain } = change;
    try {
      if (open) await open.edit(taskId, change, { ...plain, dateStart, dateEnd }, theirs.version);
      else await updateCard(session, { workspaceId, taskId, ...change }, theirs.version);
      onSaved();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      setTheirs(error.theirs);
    }
  });
  const priorities = { [now.priority]: `Priority ${now.priority}`, ...PRIORITIES };
  return (
    <form key={base.version} onSubmit={onSubmit}>
      <label>
        Title
        <input name="title" required maxLength={500} defaultValue={now.title} />
      </label>
      <label>
        Description
        <textarea name="description" rows={5} maxLength={50_000} defaultValue={now.description} />
      </label>
      <div class="row">
        <label>
          Start
          <input name="plannedStartDate" type="date" defaultValue={now.plannedStartDate ?? ''} />
        </label>
        <label>
          End
          <input name="plannedEndDate" type="date" defaultValue={now.plannedEndDate ?? ''} />
        </label>
        <label>
          Priority
          <Choice label="Priority" name="priority" value={String(now.priority)} options={Object.entries(priorities)} />
        </label>
        <Checks name="complete" chosen={now.complete ? ['yes'] : []} options={[['yes', 'Done']]} />
      </div>
      <Checks name="tags" chosen={now.tags} options={tags} />
      <Checks name="assignees" chosen={now.assignees} options={members} />
      {alert}
      {theirs !== base && (
        <div role="alert" class="notice">
          Somebody else changed this card while you did. Now it has
          <ul>
            {Object.entries(differences(now, writtenOf(theirs))).map(([field, value]) => (
              <li key={field} class="text">
                {field}:{' '}
                {[value]
                  .flat()
                  .map((one) => names.get(String(one)) ?? String(one))
                  .join(', ') || 'none'}
              </li>
            ))}
          </ul>
          <button type="button" onClick={() => setBase(theirs)}>
            Take theirs
          </button>
        </div>
      )}
      <button class="main" disabled={isBusy}>
        {theirs === base ? 'Save' : 'Save mine'}
      </button>
    </form>
  );
}

interface ChecksProps {
  readonly name: string;
  readonly chosen: readonly string[];
  readonly options: Options;
}

function Checks({ name, chosen, options }: ChecksProps) {
  return (
    <fieldset aria-label={name}>
      {options.map(([value, text]) => (
        <label key={value} class="check text">
          <input type="checkbox" {...{ name, value }} defaultChecked={chosen.includes(value)} /> {text}
        </label>
      ))}
    </fieldset>
  );
}

function writtenOf({ title, description, priority, complete, dateStart, dateEnd, tags, assignees }: FullCard) {
  const planned = { plannedStartDate: dateStart, plannedEndDate: dateEnd };
  return { title, description, ...planned, priority, complete, tags, assignees };
}

type Written = ReturnType<typeof writtenOf>;

/** @param offered tags and members that the form shows; others stay as they are */
function writtenIn(given: FormData, before: Written, offered: ReadonlyMap<string, string>): Written {
  const text = (name: string) => textIn(given, name);
  const list = (name: 'tags' | 'assignees') => [
    ...before[name].filter((id) => !offered.has(id)),
    ...given.getAll(name).map(String),
  ];
  return {
    title: text('title'),
    description: text('description'),
    plannedStartDate: text('plannedStartDate') || null,
    plannedEndDate: text('plannedEndDate') || null,
    priority: Number(text('priority')),
    complete: given.has('complete'),
    tags: list('tags'),
    assignees: list('assignees'),
  };
}

/** What of `after` is another than before. Lists are compared as sets. */
function differences(before: Written, after: Written): Partial<Written> {
  const plain = (value: unknown) =>
    JSON.stringify(Array.isArray(value) ? [...new Set(value)].map(String).sort() : value);
  const fields = Object.entries(after).filter(([name, value]) => plain(value) !== plain(before[name as keyof Written]));
  return Object.fromEntries(fields);
}
