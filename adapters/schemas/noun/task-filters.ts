import { Type, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import { METADATA } from '../../../core/model/metadata.ts';
import { TASK_EXPANSIONS } from '../../../core/names/task-names.ts';
import { expand } from '../names.ts';
import {
  excludingName,
  FILTERS,
  MAX_FILTER_VALUES,
  type FilterName,
  type FilterValue,
  type TaskFilters,
} from '../../../core/task/list/filters.ts';
import { TASK_SORTS } from '../../../core/task/list/sort.ts';
import { record } from '../components.ts';
import {
  cursor,
  date,
  exactly,
  externalId,
  flag,
  id,
  integer,
  inWorkspace,
  limit,
  list,
  oneOf,
  optional,
  text,
  time,
} from '../fields.ts';

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';

/** An id, or one of the given words. */
const idOr = (words: readonly string[]) =>
  Type.String({
    normalise: 'lower',
    minLength: 2,
    maxLength: 36,
    pattern: `^(?:${[...words, UUID].join('|')})$`,
  });

const but = 'Negates the filter: tasks that do not match.';

const metadataKey = () => Type.String({ pattern: METADATA.key, maxLength: METADATA.longestKey, minLength: 1 });

/** How many keys of the metadata one filter takes. */
const MAX_KEYS = 10;

const metadata = () =>
  Type.Unsafe({
    type: 'object',
    patternProperties: { [METADATA.key]: list(text(METADATA.text), MAX_FILTER_VALUES) },
    additionalProperties: false,
    maxProperties: MAX_KEYS,
  });

const PLAIN = { externalId, date, time, flag, metadata, metadataKey };

function valueSchema(value: FilterValue): TSchema {
  if (value.type === 'id') return value.words.length === 0 ? id() : idOr(value.words);
  if (value.type === 'integer') return integer(value.minimum, value.maximum);
  if (value.type === 'text') return text(value.maxLength, { minLength: 1 });
  return PLAIN[value.type]();
}

type FilterSchemas = { [Name in keyof TaskFilters]-?: TOptional<TUnsafe<NonNullable<TaskFilters[Name]>>> };

/** Two parameters for each row of the table of filters: the filter and, where it has one, its excluding form. */
function filterSchemas(): FilterSchemas {
  const schemas: Record<string, TSchema> = {};
  const excluded: Record<string, TSchema> = {};
  for (const name of Object.keys(FILTERS) as FilterName[]) {
    const row: { readonly many: boolean; readonly value: FilterValue; readonly about?: string } = FILTERS[name];
    const { many, value, about } = row;
    const schema = many ? list(valueSchema(value), MAX_FILTER_VALUES) : valueSchema(value);
    schemas[name] = optional({ ...schema, ...(about === undefined ? {} : { description: about }) });
    const excluding = excludingName(name);
    if (excluding !== null) excluded[excluding] = optional({ ...schema, description: but });
  }
  return { ...schemas, ...excluded } as unknown as FilterSchemas;
}

/** The filters of a task list as an object in a body, where it is optional. */
export const TaskFilter = record(
  'TaskFilter',
  'The tasks that a list with these filters finds: sorted by num, or by position if the change places them.',
  optional(exactly(filterSchemas())),
);

/** The filters and the order of a task list. Several values of one filter: OR; several filters: AND. */
export const ListTasks = exactly({
  ...inWorkspace,
  ...filterSchemas(),
  sort: optional(
    list(oneOf(TASK_SORTS), 8, {
      uniqueItems: true,
      description:
        'The sort keys, with - for descending. position sorts by the orderKey of the status, then by statusOrderKey. Ties break by id. Default: num.',
    }),
  ),
  limit,
  cursor,
  expand: expand(TASK_EXPANSIONS),
  count: optional(flag({ default: false, description: 'Returns the number of all matches in X-Total-Count.' })),
});
