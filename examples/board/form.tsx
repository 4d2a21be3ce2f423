import { useState } from 'preact/hooks';
import { messageOf } from './session.ts';

/** What a form has in a field. */
export function textIn(given: FormData, name: string): string {
  const value = given.get(name);
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
}

/** Runs what a form is for, and shows what went wrong. */
export function useForm(submitted: (given: FormData) => Promise<unknown>) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const attempt = (work: () => Promise<unknown>) => {
    setBusy(true);
    setProblem('');
    const failed = (error: unknown) => setProblem(messageOf(error));
    void work()
      .catch(failed)
      .then(() => setBusy(false));
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    attempt(() => submitted(new FormData(form)));
  };
  return { onSubmit, attempt, isBusy, alert: problem !== '' && <p role="alert">{problem}</p> };
}

interface AddProps {
  readonly label: string;
  readonly longest: number;
  readonly onAdd: (text: string) => Promise<unknown>;
}

/** One field, emptied when what it held was added. */
export function AddForm({ label, longest, onAdd }: AddProps) {
  const [text, setText] = useState('');
  const { onSubmit, isBusy, alert } = useForm(async () => {
    if (text.trim() !== '') await onAdd(text.trim());
    setText('');
  });
  return (
    <form class="add" onSubmit={onSubmit}>
      <input
        {...{ 'aria-label': label, placeholder: label, maxLength: longest, value: text }}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button disabled={isBusy}>Add</button>
      {alert}
    </form>
  );
}

export type Options = readonly (readonly [value: string, text: string])[];

interface ChoiceProps {
  readonly label: string;
  readonly name?: string;
  readonly value: string;
  readonly options: Options;
  readonly onChoose?: (value: string) => void;
}

export function Choice({ label, options, onChoose, ...select }: ChoiceProps) {
  return (
    <select aria-label={label} {...select} onChange={(event) => onChoose?.(event.currentTarget.value)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
