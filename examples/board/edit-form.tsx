import { useEffect, useState } from 'preact/hooks';
import { Field, Form, textIn } from './form.tsx';
import { differences, Overtaken, type Change, type Records } from './records.ts';
import { LEVEL, type Card } from './session.ts';

const PRIORITIES = { 0: 'None', 100: 'Low', 200: 'Medium', 300: 'High', 400: 'Urgent' };

interface EditProps {
  readonly records: Records;
  readonly card: Card;
  readonly close: () => void;
}

/** Sends what was changed and nothing else, unless somebody else has changed what the form shows. */
export function EditForm({ records, card, close }: EditProps) {
  /** What the fields started from, and what somebody else made of it meanwhile. */
  const [base, setBase] = useState(card);
  const [theirs, setTheirs] = useState(card);
  const [able, setAble] = useState<readonly { readonly memberId: string; readonly access: number }[]>([]);
  const pageId = card.pageId ?? card.boardId!;
  useEffect(() => {
    records.session.access.members({ workspaceId: card.workspaceId, pageId }).then(setAble, () => undefined);
  }, [pageId]);
  const seeing = able.filter(({ access }) => access >= LEVEL.view).map(({ memberId }) => memberId);
  const tags = new Map(records.board?.tags.map(({ id, name }) => [id, name]));
  const members = new Map([...base.assignees, ...seeing].map((id) => [id, records.nameOf(id)]));
  const now = fieldsOf(base);
  const priorities = Object.entries({ [now.priority]: `Priority ${now.priority}`, ...PRIORITIES });
  const shown = (value: unknown) => tags.get(value as string) ?? members.get(value as string) ?? String(value);
  const save = async (given: FormData) => {
    const changed: Partial<Fields> = Object.fromEntries(differences(now, fieldsIn(given)));
    const { dateStart: plannedStartDate, dateEnd: plannedEndDate, ...rest } = changed;
    try {
      // What is undefined is not sent.
      const change = { ...rest, plannedStartDate, plannedEndDate } as Change;
      await records.update(card.id, change, changed, fieldsOf, theirs);
      close();
    } catch (error) {
      const found = records.cards.find(({ id }) => id === card.id);
      if (!(error instanceof Overtaken) || found === undefined) throw error;
      setTheirs(found);
    }
  };
  return (
    <Form key={base.version} onSend={save}>
      <Field label="Title" name="title" required maxLength={500} defaultValue={now.title} />
      <label>
        Description
        <textarea name="description" rows={5} maxLength={50_000} defaultValue={now.description} />
      </label>
      <div class="row">
        <Field label="Start" name="dateStart" type="date" defaultValue={now.dateStart ?? ''} />
        <Field label="End" name="dateEnd" type="date" defaultValue={now.dateEnd ?? ''} />
        <label>
          Priority
          <select name="priority">
            {priorities.map(([value, text]) => (
              <option key={value} value={value} selected={Number(value) === now.priority}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <Checks name="complete" chosen={now.complete ? ['yes'] : []} options={[['yes', 'Done']]} />
      </div>
      <Checks name="tags" chosen={now.tags} options={[...tags]} />
      <Checks name="assignees" chosen={now.assignees} options={[...members]} />
      {theirs !== base && (
        <div role="alert" class="notice">
          Somebody else changed this card while you did. Now it has
          <ul>
            {differences(now, fieldsOf(theirs)).map(([field, value]) => (
              <li key={field}>{`${field}: ${[value].flat().map(shown).join(', ') || 'none'}`}</li>
            ))}
          </ul>
          <button type="button" onClick={() => setBase(theirs)}>
            Take theirs
          </button>
        </div>
      )}
      <button class="main">{theirs === base ? 'Save' : 'Save mine'}</button>
    </Form>
  );
}

interface ChecksProps {
  readonly name: string;
  readonly chosen: readonly string[];
  readonly options: readonly (readonly [value: string, text: string])[];
}

function Checks({ name, chosen, options }: ChecksProps) {
  return (
    <fieldset aria-label={name}>
      {options.map(([value, text]) => (
        <label key={value} class="check">
          <input type="checkbox" {...{ name, value }} defaultChecked={chosen.includes(value)} /> {text}
        </label>
      ))}
    </fieldset>
  );
}

type Fields = ReturnType<typeof fieldsOf>;

function fieldsOf({ title, description, priority, complete, dateStart, dateEnd, tags, assignees }: Card) {
  return { title, description, dateStart, dateEnd, priority, complete, tags, assignees };
}

function fieldsIn(given: FormData): Fields {
  const text = (name: keyof Fields) => textIn(given, name);
  return {
    title: text('title'),
    description: text('description'),
    dateStart: text('dateStart') || null,
    dateEnd: text('dateEnd') || null,
    priority: Number(text('priority')),
    complete: given.has('complete'),
    tags: given.getAll('tags').map(String),
    assignees: given.getAll('assignees').map(String),
  };
}
