/** The detail of one entity: its fields with value, writer and readers; optimistic writes; records made of it. */
import type { Controller } from '../../Controller.ts';
import { contextOf } from '../../request/FetchContext.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import { StoreRecord } from '../../store/records/StoreRecord.ts';
import { recordName } from '../plain.ts';
import { layersOf, readersOf, writtenOf } from '../why.ts';
import type { Why } from '../why.ts';
import { entityFields } from './entityFields.ts';
import { inspect } from './inspect.ts';
import { propertyList, heading, holderList, placeLink, section, table } from './parts.ts';
import type { RecordPlaces } from './RecordPlaces.ts';
import { countReaders } from './countReaders.ts';
import { h } from './VNode.ts';
import type { Child } from './VNode.ts';
import { formatCount, formatSeconds } from './formatAge.ts';

export function entityDetail(
  controller: Controller,
  places: RecordPlaces,
  record: EntityRecord,
): readonly Child[] {
  const { store } = contextOf(controller);
  const { signals, listeners } = countReaders(record);
  const shownIn = readersOf(record, store).filter(({ kind }) => !own.has(kind));
  const people = [
    ...signals.map((name) => `signal of its ${name}`),
    listeners > 0 ? formatCount(listeners, 'listener') : '',
  ].filter((each) => each !== '');
  return [
    heading(recordName(record)),
    propertyList([
      ['fresh for', freshness(controller, record)],
      ['read by', people.join(', ') || undefined],
    ]),
    fieldsTable(controller, places, record),
    shownIn.length === 0
      ? section('', 'Nothing shows it.')
      : section('Shown in', holderList(shownIn)),
  ];
}

/** Readers of the entity itself, which are shown beside its fields. */
const own: ReadonlySet<string> = new Set(['signal', 'field', 'listener']);

function freshness(controller: Controller, record: EntityRecord): string {
  const { expiresAt } = record.versions.stamp;
  const left = expiresAt - contextOf(controller).clock.now();
  return left > 0 ? formatSeconds(left) : 'expired';
}

function fieldsTable(controller: Controller, places: RecordPlaces, record: EntityRecord): Child {
  const { fields: watched } = countReaders(record);
  const rows = Array.from(entityFields(record, record.content) ?? [], ([name, value]) => [
    h('b', {}, name),
    h('div', {}, valueOf(places, value), ...expectations(controller, record, name)),
    writer(controller, record, name),
    countText(watched.get(name)),
  ]);
  return table(['field', 'value', 'written by', 'read by'], rows);
}

function valueOf(places: RecordPlaces, value: unknown): Child {
  if (value instanceof StoreRecord) return placeLink(recordName(value), places.of(value));
  return h('span', { class: 'value' }, inspect(value, { length: 400, depth: 2 }));
}

/** The optimistic values of a field, and the confirmed value. */
function expectations(
  controller: Controller,
  record: EntityRecord,
  field: string,
): readonly Child[] {
  const layers = layersOf(controller, record, field);
  if (layers.length === 0) return [];
  const known = inspect(entityFields(record, record.base)?.get(field));
  // an optimistic value equal to the confirmed one is left out
  if (known === inspect(entityFields(record, record.content)?.get(field))) return [];
  const by = layers.map(({ id, endpoint }) => `${endpoint} #${id}`).join(', ');
  return [h('div', { class: 'expected' }, `expected by ${by}; confirmed: ${known}`)];
}

function writer(controller: Controller, record: EntityRecord, field: string): Child {
  const written = writtenOf(controller, record, field);
  if (written === undefined) return h('span', { class: 'dim' }, 'nobody yet');
  const { by, time } = written;
  if (time === 0) return h('span', { class: 'dim' }, 'its class');
  const age = by && formatSeconds(contextOf(controller).clock.now() - by.at);
  const title = `logical time ${time}`;
  return h('span', { title, class: by ? '' : 'dim' }, causeOf(by) ?? `#${time}`, ...ago(age));
}

const ago = (age: string | undefined): readonly Child[] =>
  age === undefined ? [] : [h('span', { class: 'dim' }, ` ${age} ago`)];

/** The request, or the call. */
function causeOf(by: NonNullable<Why['written']>['by']): string | undefined {
  return by && (by.requests.map(({ endpoint }) => endpoint).join(', ') || (by.key ?? by.cause));
}

function countText(watchers: number | undefined): Child {
  return h('span', {}, watchers === undefined ? '' : formatCount(watchers, 'watcher'));
}
