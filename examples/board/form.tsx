import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from './session.ts';

/** What a form has in a field. */
export function textIn(given: FormData, name: string): string {
  const value = given.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

interface FormProps {
  readonly class?: string;
  readonly onSend: (given: FormData, form: HTMLFormElement) => unknown;
  readonly children: ComponentChildren;
}

/** A form that is sent once at a time, and says what went wrong. */
export function Form({ onSend, children, ...props }: FormProps) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (form: HTMLFormElement) => {
    setBusy(true);
    setProblem('');
    try {
      await onSend(new FormData(form), form);
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isBusy) void send(event.currentTarget as HTMLFormElement);
  };
  return (
    <form {...props} aria-busy={isBusy} onSubmit={onSubmit}>
      {children}
      {problem !== '' && <p role="alert">{problem}</p>}
    </form>
  );
}

/** A labelled field of a form. */
export function Field({ label, ...input }: { readonly label: string } & ComponentProps<'input'>) {
  return (
    <label>
      {label}
      <input {...input} />
    </label>
  );
}

interface AddProps {
  readonly label: string;
  readonly maxLength: number;
  readonly onAdd: (text: string) => Promise<unknown>;
}

/** One field, emptied when what it held was added. */
export function AddForm({ label, maxLength, onAdd }: AddProps) {
  const add = async (given: FormData, form: HTMLFormElement) => {
    const text = textIn(given, 'text');
    if (text !== '') await onAdd(text);
    form.reset();
  };
  return (
    <Form class="add" onSend={add}>
      <input name="text" aria-label={label} placeholder={label} maxLength={maxLength} />
      <button>Add</button>
    </Form>
  );
}
