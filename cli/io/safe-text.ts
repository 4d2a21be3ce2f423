/** What people are shown: a plain string may hold anything that somebody has written. */
export type Text = string | SafeText;
export type { SafeText };

/**
 * Text that may go to a terminal as it is: the program's own words and colours, and between them other people's text without
 * its control characters. Screens take it and plain strings, which lose their control characters on the way. So nothing
 * else reaches a terminal, and code that forgets this class loses a colour and no more.
 */
class SafeText {
  readonly written: string;

  constructor(written: string) {
    this.written = written;
  }

  /** The words without the colours. */
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

/** Without what moves the cursor, sets colours or turns the direction of reading. Line ends and tabs stay. */
export function stripControlCharacters(text: string): string {
  return text.replace(/[\u2028\u2029]/g, '\n').replace(CONTROL, '');
}

/** What a screen writes. */
export function writtenOf(text: Text): string {
  return text instanceof SafeText ? text.written : stripControlCharacters(text);
}

/**
 * A template of the program's own words. A value that is a plain string loses its control characters and line ends, so
 * that it cannot pass for a line of the program.
 */
export function safe(own: TemplateStringsArray, ...values: readonly Text[]): SafeText {
  return new SafeText(own.reduce((text, part, i) => `${text}${inserted(values[i - 1] ?? '')}${part}`));
}

/** Texts as values of such a template. @param separator the program's own */
export function joined(texts: readonly Text[], separator = ''): SafeText {
  return new SafeText(texts.map(inserted).join(separator));
}

/** Each on a line of its own. */
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

/** Cut, padded, broken into lines or coloured. @param change may add colours, and no other control characters */
export function reshaped(text: Text, change: (written: string) => string): SafeText {
  return new SafeText(change(writtenOf(text)).replace(CONTROL_BUT_COLOUR, ''));
}

/** White space of any kind and length becomes one space. */
export function oneLine(text: Text): SafeText {
  return reshaped(text, (written) => written.replace(/\s+/g, ' '));
}

/** JSON in which all control characters are escaped, also those that JSON allows as they are. The value is the same. */
export function jsonText(value: unknown, indent?: number): SafeText {
  return escapedJson(JSON.stringify(value, null, indent));
}

/** Text that is JSON already. */
export function escapedJson(json: string): SafeText {
  return new SafeText(json.replace(UNESCAPED_IN_JSON, escapeOf));
}

/** The same for lines of a log, which people look at: nothing in them turns the direction or begins a line either. */
export function escapedLog(json: string): SafeText {
  return escapedJson(json.replace(DIRECTION, escapeOf));
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
