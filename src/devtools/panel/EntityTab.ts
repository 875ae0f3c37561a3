/** The tab of entities and lists: tables, their rows, and the writer and the readers of each field. */
import type { Controller } from '../../Controller.ts';
import { contextOf } from '../../request/FetchContext.ts';
import { containsRecord, EntityRecord, ListRecord, StoreRecord } from '../../store/StorePort.ts';
import type { EntityContent, StoredList, Table } from '../../store/StorePort.ts';
import { recordName } from '../toPlain.ts';
import { whyLayersOf, whyReadersOf, whyWrittenOf } from '../why.ts';
import type { Why } from '../why.ts';
import { staleReason } from './staleReason.ts';
import {
  cell,
  formatCount,
  formatSeconds,
  heading,
  holderList,
  placeLink,
  propertyList,
  section,
  table,
} from './PanelTab.ts';
import type { Group, PanelTab, TabRows } from './PanelTab.ts';
import { placeIn, countReaders } from './RecordPlaces.ts';
import type { RecordPlaces } from './RecordPlaces.ts';
import { h } from './VNode.ts';
import type { Child, VNode } from './VNode.ts';
import { inspect, inspectFields, safeFieldsOf } from './inspect.ts';

export class EntityTab implements PanelTab {
  readonly title = 'Entities';
  readonly empty = 'Nothing is stored.';
  readonly #controller: Controller;
  readonly #places: RecordPlaces;

  constructor(controller: Controller, places: RecordPlaces) {
    this.#controller = controller;
    this.#places = places;
  }

  get count(): number {
    return this.#places.tables
      .filter(({ kind }) => kind.stores === 'entity')
      .reduce((sum, { records }) => sum + countIn(records.values()), 0);
  }

  groups(): readonly Group[] {
    const groups = this.#places.tables.map(({ kind, records }, at) => ({
      name: String(at),
      title: kind.title,
      count: countIn(records.values()),
      lists: kind.stores !== 'entity',
    }));
    const visible = groups.filter(({ count }) => count > 0);
    const first = visible.find(({ lists }) => lists);
    const entities = visible.filter(({ lists }) => !lists);
    const lists = visible.filter((group) => group.lists && group !== first);
    return first === undefined ? entities : [...entities, { ...first, heading: 'Lists' }, ...lists];
  }

  rows(group: string, filter: string): TabRows {
    const visible: (readonly [table: number, record: Stored])[] = [];
    this.#places.tables.forEach((table, at) => {
      if (group === '' ? table.kind.stores !== 'entity' : group !== String(at)) return;
      for (const record of recordsOf(table))
        if (isPresent(record) && matchesFilter(record, filter)) visible.push([at, record]);
    });
    return {
      length: visible.length,
      key(at) {
        const [table, { pk }] = visible[at] as (typeof visible)[number];
        return placeIn(table, pk);
      },
      cells: (at) => cellsOf((visible[at] as (typeof visible)[number])[1]),
    };
  }

  detail(place: string): readonly Child[] | undefined {
    const record = this.#places.find(place) as Stored | undefined;
    if (record === undefined || !isPresent(record)) return undefined;
    return record instanceof EntityRecord
      ? entityDetail(this.#controller, this.#places, record)
      : listDetail(this.#controller, this.#places, record);
  }
}

type Stored = EntityRecord | StoredList;

function recordsOf(table: Table): Iterable<Stored> {
  return table.records.values();
}

function countIn(records: Iterable<Stored>): number {
  let count = 0;
  for (const record of records) if (isPresent(record)) count++;
  return count;
}

function isPresent(record: Stored): boolean {
  if (record instanceof EntityRecord) return record.exists;
  return record instanceof ListRecord ? record.members !== undefined : record.entries !== undefined;
}

/** True if the name contains the filter, or a field that is text, a number or a boolean. */
function matchesFilter(record: Stored, filter: string): boolean {
  if (filter === '') return true;
  if (`${record.kind.title} ${record.pk}`.toLowerCase().includes(filter)) return true;
  if (!(record instanceof EntityRecord)) return false;
  for (const [name, value] of safeFieldsOf(record.instance ?? {})) {
    if (typeof value !== 'object' && `${name}: ${String(value)}`.toLowerCase().includes(filter))
      return true;
  }
  return false;
}

function cellsOf(record: Stored): readonly VNode[] {
  const { count } = countReaders(record);
  return [
    cell('title', h('span', { class: 'dim' }, `${record.kind.title} `), record.pk),
    cell('preview', previewOf(record)),
    cell('end', record.pending && h('span', { class: 'expected' }, 'expected')),
    cell('end', count === 0 ? '' : `read by ${count}`),
  ];
}

function previewOf(record: Stored): string {
  if (record instanceof ListRecord)
    return `${formatCount(record.members?.length ?? 0, 'member')}: ${inspect(record.members, { length: 160 })}`;
  if (!(record instanceof EntityRecord)) return inspect(record.entries, { length: 160 });
  return inspectFields(entityFields(record, record.content) ?? new Map(), 160);
}

// how many members are listed
const MAX_MEMBERS = 200;

/** The detail of a list or map: members, and the records made of the list or map. */
function listDetail(
  controller: Controller,
  places: RecordPlaces,
  record: StoredList,
): readonly Child[] {
  const { store } = contextOf(controller);
  const all = record instanceof ListRecord ? record.members : record.entries?.values();
  const members = [...(all ?? [])];
  const shownIn = holderList(whyReadersOf(record, store));
  const links = members
    .slice(0, MAX_MEMBERS)
    .map((member) => placeLink(recordName(member), places.of(member)));
  const more =
    members.length > MAX_MEMBERS ? ` and ${members.length - MAX_MEMBERS} more` : undefined;
  return [
    heading(recordName(record)),
    propertyList(staleRequestsOf(controller, record)),
    section(formatCount(members.length, 'member'), h('p', { class: 'members' }, ...links), more),
    shownIn === undefined
      ? section('', 'No component or list shows this.')
      : section('Shown in', shownIn),
  ];
}

/** The requests that bring this list and are not fresh, each with the reason. */
function staleRequestsOf(
  controller: Controller,
  record: StoredList,
): readonly (readonly [string, string | undefined])[] {
  const { store, clock } = contextOf(controller);
  return [...store.results.values()]
    .filter(({ node }) => containsRecord(node, record))
    .map((result) => [`${result.key} is stale`, staleReason(result, clock.now())] as const);
}

/** The detail of an entity: fields with value, writer and readers; optimistic writes; records made of the entity. */
function entityDetail(
  controller: Controller,
  places: RecordPlaces,
  record: EntityRecord,
): readonly Child[] {
  const { store } = contextOf(controller);
  const { signals, listeners } = countReaders(record);
  const shownIn = whyReadersOf(record, store).filter(({ kind }) => !DIRECT_READERS.has(kind));
  const readers = [
    ...signals.map((name) => `signal of the ${name}`),
    listeners > 0 ? formatCount(listeners, 'listener') : '',
  ].filter((each) => each !== '');
  return [
    heading(recordName(record)),
    propertyList([
      ['fresh for', freshness(controller, record)],
      ['read by', readers.join(', ') || undefined],
    ]),
    fieldsTable(controller, places, record),
    shownIn.length === 0
      ? section('', 'No component or list shows this.')
      : section('Shown in', holderList(shownIn)),
  ];
}

/** Readers of the entity itself, which are shown beside the fields. */
const DIRECT_READERS: ReadonlySet<string> = new Set(['signal', 'field', 'listener']);

function freshness(controller: Controller, record: EntityRecord): string {
  const { expiresAt } = record.versions.stamp;
  const left = expiresAt - contextOf(controller).clock.now();
  return left > 0 ? formatSeconds(left) : 'expired';
}

function fieldsTable(controller: Controller, places: RecordPlaces, record: EntityRecord): Child {
  const { fields: watched } = countReaders(record);
  const rows = Array.from(entityFields(record, record.content) ?? [], ([name, value]) => [
    h('b', {}, name),
    h('div', {}, valueOf(places, value), ...optimisticValues(controller, record, name)),
    writerOf(controller, record, name),
    countText(watched.get(name)),
  ]);
  return table(['field', 'value', 'written by', 'read by'], rows);
}

function valueOf(places: RecordPlaces, value: unknown): Child {
  if (value instanceof StoreRecord) return placeLink(recordName(value), places.of(value));
  return h('span', { class: 'value' }, inspect(value, { length: 400, depth: 2 }));
}

/** The optimistic values of a field, and the confirmed value. */
function optimisticValues(
  controller: Controller,
  record: EntityRecord,
  field: string,
): readonly Child[] {
  const layers = whyLayersOf(controller, record, field);
  if (layers.length === 0) return [];
  const known = inspect(entityFields(record, record.base)?.get(field));
  // an optimistic value equal to the confirmed value is left out
  if (known === inspect(entityFields(record, record.content)?.get(field))) return [];
  const by = layers.map(({ id, endpoint }) => `${endpoint} #${id}`).join(', ');
  return [h('div', { class: 'expected' }, `expected by ${by}; confirmed: ${known}`)];
}

function writerOf(controller: Controller, record: EntityRecord, field: string): Child {
  const written = whyWrittenOf(controller, record, field);
  if (written === undefined) return h('span', { class: 'dim' }, 'not written yet');
  const { by, time } = written;
  if (time === 0) return h('span', { class: 'dim' }, 'its class');
  const age = by && formatSeconds(contextOf(controller).clock.now() - by.at);
  const title = `logical time ${time}`;
  return h('span', { title, class: by ? '' : 'dim' }, causeOf(by) ?? `#${time}`, ...ago(age));
}

const ago = (age: string | undefined): readonly Child[] =>
  age === undefined ? [] : [h('span', { class: 'dim age' }, ` ${age} ago`)];

/** The request, or the call. */
function causeOf(by: NonNullable<Why['written']>['by']): string | undefined {
  return by && (by.requests.map(({ endpoint }) => endpoint).join(', ') || (by.key ?? by.cause));
}

function countText(watchers: number | undefined): Child {
  return h('span', {}, watchers === undefined ? '' : formatCount(watchers, 'watcher'));
}

export type EntityFields = ReadonlyMap<string, unknown>;

/** `content`: the content that readers see, or the confirmed content. Undefined if `content` is missing. */
export function entityFields(
  { kind }: EntityRecord,
  content: EntityContent | undefined,
): EntityFields | undefined {
  if (content === undefined) return undefined;
  const fields = new Map(safeFieldsOf(content.fields));
  kind.descriptor.nested.forEach(({ name }, at) => fields.set(name, content.nodes[at]));
  return fields;
}
