import { Level, type UpdateTask } from 'espalier/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { goTo } from './address.ts';
import { Field, Form, sent, startOf, textIn } from './form.tsx';
import { differences, pageOf, type Card, type Records } from './records.ts';

const FIELDS = ['title', 'description', 'dateStart', 'dateEnd', 'priority', 'complete', 'tags', 'assignees'];
const PRIORITIES = { 0: 'None', 100: 'Low', 200: 'Medium', 300: 'High', 400: 'Urgent' };

/** Sends what was changed and nothing else, unless somebody else has changed the same. */
export function EditForm({ records, card, card: { id, workspaceId } }: Readonly<{ records: Records; card: Card }>) {
  /** What the fields started from, and what somebody else made of it meanwhile. */
  const [base, setBase] = useState(card);
  const [theirs, setTheirs] = useState(card);
  /** The card that a change is made to. */
  const from = useRef(card);
  /** Those who may be assigned. */
  const [able, setAble] = useState<readonly { readonly memberId: string; readonly access: number }[]>([]);
  const pageId = pageOf(card);
  useEffect(() => void records.session.access.members({ workspaceId, pageId }).then(setAble, () => {}), [pageId]);
  const seeing = able.filter(({ access }) => access >= Level.View).map(({ memberId }) => memberId);
  // A card that a link leads to may be on another board, whose tags it keeps.
  const tagsHere = records.board?.id === card.boardId ? records.board?.tags : undefined;
  const tags = new Map(tagsHere?.map((tag) => [tag.id, tag.name]));
  const members = new Map([...base.assignees, ...seeing].map((memberId) => [memberId, records.nameOf(memberId)]));
  const priorities = new Map(Object.entries({ [base.priority]: `Priority ${base.priority}`, ...PRIORITIES }));
  const nameOf = (value: unknown) => tags.get(value as string) ?? members.get(value as string) ?? String(value);
  const news = differences(base, theirs).filter(([field]) => FIELDS.includes(field));
  const fieldsOf = (given: FormData) => {
    const [title, description, start, end, priority] = FIELDS.map((name) => textIn(given, name));
    const dates = { dateStart: start || null, dateEnd: end || null };
    const lists = { tags: tagsHere ? given.getAll('tags') : base.tags, assignees: given.getAll('assignees') };
    return { title, description, ...dates, ...lists, priority: Number(priority), complete: given.has('complete') };
  };
  const save = async (given: FormData, form: HTMLFormElement) => {
    // What was not touched is as its field has it: a title is one line there.
    const changed: Partial<Card> = Object.fromEntries(differences(fieldsOf(startOf(form)), fieldsOf(given)));
    // What is undefined is not sent.
    const { dateStart: plannedStartDate, dateEnd: plannedEndDate, ...rest } = changed;
    const named = { ...rest, plannedStartDate, plannedEndDate } as UpdateTask;
    const found = await records.update(id, named, changed, 'saved', from.current);
    from.current = found ?? records.cards.find((one) => one.id === id) ?? card;
    setTheirs(found ?? theirs);
    if (found) sent.delete(form);
    else if (form.isConnected) goTo({ card: undefined });
  };
  return (
    <Form name="edit" onSend={save}>
      <Field label="Title" name="title" required defaultValue={base.title} />
      <Field label="Description" name="description" rows={5} defaultValue={base.description} />
      <div class="row">
        <Field label="Start" name="dateStart" type="date" defaultValue={base.dateStart ?? ''} />
        <Field label="End" name="dateEnd" type="date" defaultValue={base.dateEnd ?? ''} />
        <Checks name="complete" chosen={[String(base.complete)]} options={new Map([['true', 'Done']])} />
      </div>
      <Checks name="priority" chosen={String(base.priority)} options={priorities} />
      <Checks name="tags" chosen={base.tags} options={tags} />
      <Checks name="assignees" chosen={base.assignees} options={members} />
      {theirs !== base && (
        <div role="alert" class="notice">
          Somebody else changed this card while you did. Now it has
          <ul>
            {news.map(([field, value]) => (
              <li key={field}>{`${field}: ${[value].flat().map(nameOf).join(', ') || 'none'}`}</li>
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

/** @param chosen one of the options, or any number of them */
type ChecksProps = Readonly<{ name: string; chosen: string | readonly string[]; options: ReadonlyMap<string, string> }>;

function Checks({ name, chosen, options }: ChecksProps) {
  const type = typeof chosen === 'string' ? 'radio' : 'checkbox';
  return (
    <fieldset key={String(chosen)}>
      <legend>{name}</legend>
      {Array.from(options, ([value, text]) => (
        <label key={value} class="check">
          <input {...{ type, name, value }} defaultChecked={[chosen].flat().includes(value)} /> {text}
        </label>
      ))}
    </fieldset>
  );
}
