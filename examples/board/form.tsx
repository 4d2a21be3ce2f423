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
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (problem === null && !mayOverlap) return;
    const form = event.currentTarget as HTMLFormElement;
    setProblem(null);
    setProblem(await onSend(new FormData(form), form).then(() => '', messageOf));
  };
  return (
    <form {...props} aria-busy={problem === null} onSubmit={(event) => void submit(event)}>
      {children}
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}

/** A labelled field of a form. It begins anew where what it started from changes. */
export function Field({ label, ...input }: { readonly label: string } & ComponentProps<'input'>) {
  return (
    <label>
      {label}
      <input key={input.defaultValue} {...input} />
    </label>
  );
}

type AddProps = Readonly<{ label: string; onAdd: (text: string) => Promise<unknown> }>;

/** One field, which is empty when what was in it is sent, behind what was before. What is not added comes back. */
export function AddForm({ label, onAdd }: AddProps) {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const add = (given: FormData, form: HTMLFormElement) => {
    const [text, field] = [textIn(given, 'text'), form.querySelector('input')!];
    field.value = '';
    const sent = last.current.then(() => onAdd(text));
    last.current = sent.catch(() => (field.value = `${text} ${field.value}`.trim()));
    return sent;
  };
  return (
    <Form class="add" mayOverlap onSend={add}>
      <input name="text" aria-label={label} placeholder={label} required />
      <button>Add</button>
    </Form>
  );
}
