import { lines, oneLine, safe, type SafeText, type Text } from '../io/safe-text.ts';
import type { Style } from '../output/table/style.ts';

/** A log line of pino. */
interface LogLine {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly pid?: number;
  readonly requestId?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly code?: string;
  readonly ms?: number;
  readonly err?: { readonly stack?: string; readonly message?: string };
  readonly [field: string]: unknown;
}

const WARN = 40;
const ERROR = 50;

/** A log line for a terminal: `12:03:04 GET 200 /api/workspace 3 ms`. */
export function readableLog(json: string, style: Style): SafeText {
  const line = JSON.parse(json) as LogLine;
  const time = style.dim(new Date(line.time).toTimeString().slice(0, 8));
  const process = line.pid === undefined ? '' : style.dim(` [${line.pid}]`);
  const text =
    line.method === undefined || line.status === undefined ? eventText(line, style) : requestText(line, style);
  // Indented, so that none of its lines can imitate a log line.
  const stack = (line.err?.stack ?? line.err?.message ?? '').split(/[\n\u2028\u2029]/).filter((one) => one !== '');
  return lines([safe`${time}${process} ${text}`, ...stack.map((one) => style.dim(safe`    ${one}`))]);
}

function requestText(
  { method = '', status = 0, route = '', ms = 0, code, requestId }: LogLine,
  style: Style,
): SafeText {
  const colour = status >= 500 ? style.red : status >= 400 ? style.yellow : style.green;
  // The request id helps to report an error.
  const why = code === undefined ? '' : style.dim(` ${code} ${requestId ?? ''}`);
  return safe`${method.padEnd(6)} ${colour(String(status))} ${oneLine(route)} ${style.dim(`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`)}${why}`;
}

function eventText({ level, msg = '', time: _, pid: __, err: ___, ...more }: LogLine, style: Style): SafeText {
  const colour = level >= ERROR ? style.red : level >= WARN ? style.yellow : (text: Text) => text;
  const facts = Object.entries(more).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return safe`${colour(oneLine(msg))}${facts.length === 0 ? '' : style.dim(oneLine(` ${facts.join(' ')}`))}`;
}
