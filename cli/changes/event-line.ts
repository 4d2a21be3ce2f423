import type { ChangeEvent } from '../../core/model/log/change-event.ts';
import { localDay } from '../config/dates.ts';
import { joined, oneLine, safe, type SafeText } from '../io/safe-text.ts';
import type { Style } from '../output/table/style.ts';
import type { EventNames } from './event-names.ts';

/** An event for people: `14:03:11  Ada  task.update  #1 Write it down  Dev  title`; with the day if it is not today. */
export function eventLine(event: ChangeEvent, names: EventNames, style: Style, now = new Date()): SafeText {
  const cells = [
    style.dim(event.at === null ? '' : timeOfEvent(event.at, now.toISOString())),
    oneLine(names.of(event.byId)),
    style.bold(event.type),
    oneLine(names.record(event)),
    oneLine(names.place(event)),
    style.dim(event.fields.join(' ')),
  ];
  return safe`${joined(
    cells.filter((cell) => String(cell) !== ''),
    '  ',
  )}\n`;
}

/** In the local time zone. */
function timeOfEvent(at: string, now: string): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  return localDay(at) === localDay(now) ? time : `${localDay(at)} ${time}`;
}
