import type { ChangeEvent } from '../../core/model/log/change-event.ts';
import { joined, oneLine, safe, type SafeText } from '../io/safe-text.ts';
import type { Style } from '../output/table/style.ts';
import type { EventNames } from './event-names.ts';

/** An event for people: `14:03:11  Ada  task.update  #1 Write it down  Dev  title`. */
export function eventLine(event: ChangeEvent, names: EventNames, style: Style): SafeText {
  const time = event.at === null ? '' : new Date(event.at).toTimeString().slice(0, 8);
  const cells = [
    style.dim(time),
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
