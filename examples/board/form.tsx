import type { ComponentChildren, ComponentProps } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { messageOf } from './records.ts';

/** What a form has in a field, without space around it. */
export const textIn = (given: FormData, name: string) => (given.get(name) as string | null)?.trim() ?? '';

/** What was saved of a form that is still open. */
export const saved = new WeakMap<HTMLFormElement, FormData>();

/** What a form has when nothing is to be saved of it. */
export function startOf(form: HTMLFormElement): FormData {
  const start = form.cloneNode(true) as HTMLFormElement;
  start.reset();
  return saved.get(form) ?? new FormData(start);
}

/** Whether something is written that is not saved, or is still being added. How it goes on with a card is said elsewhere. */
export function isUnsent(within: ParentNode): boolean {
  const forms = [...within.querySelectorAll<HTMLFormElement>('.add, form:not([aria-busy=true])')];
  const textOf = (given: FormData) => JSON.stringify([...given]);
  return forms.some((form) => form.ariaBusy === 'true' || textOf(new FormData(form)) !== textOf(startOf(form)));
}

type Send = (given: FormData, form: HTMLFormElement) => Promise<unknown>;
type FormProps = Readonly<{ class?: string; mayOverlap?: boolean; onSend: Send; children: ComponentChildren }>;

/** A form that is sent once at a time, unless it may overlap, and says what went wrong. */
export function Form({ onSend, mayOverlap, children, ...props }: FormProps) {
  /** Null: it is being sent. */
  const [problem, setProblem] = useState<string | null>('');
  /** How often it is being sent, and what went wrong since that began last. */
  const now = useRef({ sending: 0, wrong: '' }).current;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (problem === null && !mayOverlap) return;
    const form = event.currentTarget as HTMLFormElement;
    setProblem(null);
    [now.sending, now.wrong] = [now.sending + 1, ''];
    now.wrong = (await onSend(new FormData(form), form).then(() => '', messageOf)) || now.wrong;
    if ((now.sending -= 1) === 0) setProblem(now.wrong);
  };
  return (
    <form {...props} aria-busy={problem === null} onSubmit={(event) => void submit(event)}>
      {children}
      {problem && <p role="alert">{problem}</p>}
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

/** One field, which is empty when what was in it is sent, behind what was before. What is not added comes back. */
export function AddForm({ label, onAdd }: Readonly<{ label: string; onAdd: (text: string) => Promise<unknown> }>) {
  /** What is sent last, and how much of the field has come back. */
  const queue = useRef({ last: Promise.resolve<unknown>(null), back: 0 }).current;
  const add = (given: FormData, form: HTMLFormElement) => {
    const [text, field] = [textIn(given, 'text'), form.querySelector('input')!];
    [field.value, queue.back] = ['', 0];
    const sent = queue.last.then(() => onAdd(text));
    queue.last = sent.catch(() => {
      const back = `${field.value.slice(0, queue.back)} ${text}`.trim();
      [field.value, queue.back] = [`${back} ${field.value.slice(queue.back).trim()}`.trim(), back.length];
    });
    return sent;
  };
  return (
    <Form class="add" mayOverlap onSend={add}>
      <input name="text" aria-label={label} placeholder={label} required />
      <button>Add</button>
    </Form>
  );
}
