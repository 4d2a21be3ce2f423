import type { ComponentProps } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { messageOf } from './records.ts';

/** What a form has in a field, without space around it. */
export const textIn = (given: FormData, name: string) => (given.get(name) as string | null)?.trim() ?? '';

/** What is in a form that was sent, unless that failed. */
export const sent = new WeakMap<HTMLFormElement, FormData>();

/** What a form has when nothing is to be sent of it. */
export function startOf(form: HTMLFormElement): FormData {
  const start = form.cloneNode(true) as HTMLFormElement;
  start.reset();
  return sent.get(form) ?? new FormData(start);
}

const textOf = (given: FormData) => JSON.stringify([...given]);

/**
 * Whether something is written that is not sent, or is still being added. How it goes on with a card is said elsewhere.
 *
 * @param forms selects those in which
 */
export const isUnsent = (forms: string) =>
  [...document.querySelectorAll<HTMLFormElement>(forms)].some(
    (form) => form.matches('.add[aria-busy=true]') || textOf(new FormData(form)) !== textOf(startOf(form)),
  );

/** Whether the form of a card has something that is not saved yet. */
export const isEdited = () => isUnsent('[name=edit]') || document.querySelector('[name=edit][aria-busy=true]') !== null;

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> &
  Readonly<{ mayOverlap?: boolean; onSend: (given: FormData, form: HTMLFormElement) => Promise<unknown> }>;

/** A form that is sent once at a time, unless it may overlap, and says what went wrong. */
export function Form({ onSend, mayOverlap, children, ...props }: FormProps) {
  /** How often it is being sent. Said in the page itself: a box that is ticked keeps its tick until it is drawn with it. */
  const sending = useRef(0);
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (sending.current > 0 && !mayOverlap) return;
    const form = event.currentTarget as HTMLFormElement;
    sending.current += 1;
    form.ariaBusy = 'true';
    setProblem('');
    const answer = onSend(new FormData(form), form);
    sent.set(form, new FormData(form));
    const wrong = await answer.then(() => '', messageOf);
    if (wrong) sent.delete(form);
    sending.current -= 1;
    form.ariaBusy = String(sending.current > 0);
    setProblem((before) => wrong || before);
  };
  return (
    <form {...props} onSubmit={(event) => void submit(event)}>
      {children}
      {problem !== '' && <p role="alert">{problem}</p>}
    </form>
  );
}

/** A labelled field of a form, of several lines where it has rows. It begins anew where what it started from changes. */
export function Field({ label, ...props }: Readonly<{ label: string; rows?: number }> & ComponentProps<'input'>) {
  const Input = (props.rows ? 'textarea' : 'input') as 'input';
  return (
    <label>
      {label}
      <Input key={props.defaultValue} {...props} />
    </label>
  );
}

/** What is written in fields that add. It outlasts them: it is there again when they are. */
const drafts = new Map<string, string>();

/** @param draft names what is written. @param may whether one may add: else only what is written is shown */
type AddProps = Readonly<{ draft: string; label: string; may: boolean; onAdd: (text: string) => Promise<unknown> }>;

/** One field, which is empty when what was in it is sent, behind what was before. What is not added comes back. */
export function AddForm({ draft, label, may, onAdd }: AddProps) {
  const queue = useRef<string[]>([]).current;
  const show = (field: HTMLInputElement | null) => void (field && (field.value = drafts.get(draft) ?? ''));
  const add = async (given: FormData, form: HTMLFormElement) => {
    form.reset();
    // What is being added is followed by this.
    if (queue.push(textIn(given, 'text')) > 1) return;
    const failed: { readonly text: string; readonly error: unknown }[] = [];
    for (const text of queue) await onAdd(text).catch((error: unknown) => failed.push({ text, error }));
    queue.length = 0;
    if (failed.length === 0) return;
    drafts.set(draft, [...failed.map(({ text }) => text), drafts.get(draft)].join(' ').trim());
    show(form.querySelector('input'));
    throw failed.at(-1)!.error;
  };
  if (!may && !drafts.get(draft)) return null;
  const named = { name: 'text', 'aria-label': label, placeholder: label };
  return (
    <Form class="add" mayOverlap onSend={add} onReset={() => drafts.set(draft, '')}>
      <input {...named} required ref={show} onInput={({ currentTarget }) => drafts.set(draft, currentTarget.value)} />
      <button>Add</button>
    </Form>
  );
}
