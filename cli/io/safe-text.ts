/** Text for output. A plain string is untrusted: it may hold anything that a user has written. */
export type Text = string | SafeText;
export type { SafeText };

/**
 * Text that is safe for a terminal: the program's own words and colours, with untrusted text that is stripped of
 * control characters. Screens also accept plain strings, and strip those. So nothing unsafe reaches a terminal, and
 * code that forgets this class only loses colours.
 */
class SafeText {
  readonly written: string;

  constructor(written: string) {
    this.written = written;
  }

  /** The text without colours. */
  toString(): string {
    return this.written.replace(COLOUR, '');
  }
}

// eslint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[0-9;]*m/g;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]|\p{Bidi_Control}/gu;
const CONTROL_BUT_COLOUR =
  // eslint-disable-next-line no-control-regex
  /\u001B(?!\[[0-9;]*m)|[\u0000-\u0008\u000B-\u001A\u001C-\u001F\u007F-\u009F]|\p{Bidi_Control}/gu;
// eslint-disable-next-line no-control-regex
const UNESCAPED_IN_JSON = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

const DIRECTION = /[\u2028\u2029]|\p{Bidi_Control}/gu;

/** Removes characters that move the cursor, set colours or change the writing direction. Line ends and tabs stay. */
export function stripControlCharacters(text: string): string {
  return text.replace(/[\u2028\u2029]/g, '\n').replace(CONTROL, '');
}

/** The characters that a screen writes. */
export function screenText(text: Text): string {
  return text instanceof SafeText ? text.written : stripControlCharacters(text);
}

/**
 * A tagged template of the program's own words. Plain strings as values are stripped of control characters and line
 * ends, so that they cannot imitate a line of the program.
 */
export function safe(own: TemplateStringsArray, ...values: readonly Text[]): SafeText {
  return new SafeText(own.reduce((text, part, i) => `${text}${inserted(values[i - 1] ?? '')}${part}`));
}

/** Joins texts, treated as values of {@link safe}. @param separator trusted */
export function joined(texts: readonly Text[], separator = ''): SafeText {
  return new SafeText(texts.map(inserted).join(separator));
}

/** Each text on its own line. */
export function lines(texts: readonly Text[]): SafeText {
  return joined(texts.map((text) => safe`${text}\n`));
}

/** Text that may have several lines. */
export function multiLine(text: string): SafeText {
  return new SafeText(stripControlCharacters(text));
}

function inserted(value: Text): string {
  return value instanceof SafeText ? value.written : stripControlCharacters(value).replace(/\n+/g, ' ');
}

/**
 * Changes safe text, such as by cutting, padding, wrapping or colouring. @param change may add colours, but no other
 * control characters
 */
export function reshaped(text: Text, change: (written: string) => string): SafeText {
  return new SafeText(change(screenText(text)).replace(CONTROL_BUT_COLOUR, ''));
}

/** Replaces white space of any kind and length by one space. */
export function oneLine(text: Text): SafeText {
  return reshaped(text, (written) => written.replace(/\s+/g, ' '));
}

/** JSON with all control characters escaped, including those that JSON allows unescaped. The value is the same. */
export function jsonText(value: unknown, indent?: number): SafeText {
  return escapedJson(JSON.stringify(value, null, indent));
}

/** Text that is JSON already. */
export function escapedJson(json: string): SafeText {
  return new SafeText(json.replace(UNESCAPED_IN_JSON, escapeOf));
}

/** Like {@link escapedJson} for log lines, with writing direction and line separators escaped too. */
export function escapedLog(json: string): SafeText {
  return escapedJson(json.replace(DIRECTION, escapeOf));
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
