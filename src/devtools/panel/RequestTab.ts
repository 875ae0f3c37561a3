/** The tab of requests: state, data and readers of each request, and buttons to refetch, invalidate and so on. */
import type { Controller } from '../../Controller.ts';
import type { EndpointInterface } from '../../endpoint/Endpoint.ts';
import { contextOf } from '../../request/FetchContext.ts';
import type { FetchContext } from '../../request/FetchContext.ts';
import { DIRTY, ListRecord, StoreRecord } from '../../store/StorePort.ts';
import type { ResultRecord } from '../../store/StorePort.ts';
import type { View } from '../../view/View.ts';
import {
  rowsOf,
  badge,
  button,
  cell,
  code,
  formatCount,
  formatSeconds,
  formatTime,
  heading,
  placeLink,
  propertyList,
  section,
} from './PanelTab.ts';
import { staleReason } from './staleReason.ts';
import type { Group, PanelTab, TabRows } from './PanelTab.ts';
import { countReaders } from './RecordPlaces.ts';
import type { RecordPlaces } from './RecordPlaces.ts';
import { reasonText } from './Recorder.ts';
import { h } from './VNode.ts';
import type { Child } from './VNode.ts';
import { inspect } from './inspect.ts';

export class RequestTab implements PanelTab {
  readonly title = 'Requests';
  readonly empty = 'No requests yet.';
  readonly #controller: Controller;
  readonly #places: RecordPlaces;

  constructor(controller: Controller, places: RecordPlaces) {
    this.#controller = controller;
    this.#places = places;
  }

  get #context() {
    return contextOf(this.#controller);
  }

  get #records(): readonly ResultRecord[] {
    return [...this.#context.store.results.values()];
  }

  get count(): number {
    return this.#context.store.results.size;
  }

  groups(): readonly Group[] {
    const counts = new Map<string, number>();
    for (const record of this.#records) {
      const state = requestState(record, this.#context);
      counts.set(state, (counts.get(state) ?? 0) + 1);
    }
    return states.map((name) => ({ name, title: name, count: counts.get(name) ?? 0 }));
  }

  rows(group: string, filter: string): TabRows {
    const visible = this.#records.filter(
      (record) =>
        (group === '' || requestState(record, this.#context) === group) &&
        record.key.toLowerCase().includes(filter),
    );
    return rowsOf(
      visible,
      ({ key }) => key,
      (record) => [
        badge(requestState(record, this.#context)),
        cell('key', record.key),
        cell('shape', shapeOf(record)),
        cell('end', this.#expiry(record)),
        cell('end', readersText(record)),
      ],
    );
  }

  /** `24 s`: the time until expiry; empty if nothing is fresh. */
  #expiry(record: ResultRecord): string {
    const now = this.#context.clock.now();
    const left = record.expiryAt(now) - now;
    return record.hasResponse && left >= 0 ? formatSeconds(left) : '';
  }

  detail(key: string): readonly Child[] | undefined {
    const record = this.#context.store.findResult(key);
    if (record === undefined) return undefined;
    const { node, hasResponse, stamp, args, failure } = record;
    const state = requestState(record, this.#context);
    const left = this.#expiry(record);
    const endpoint = endpointOf(record);
    return [
      heading(key, badge(state)),
      h(
        'p',
        { class: 'acts' },
        button('refetch', key, 'Refetch', endpoint === undefined),
        button('invalidate', key, 'Invalidate'),
        button('expire', key, 'Expire'),
      ),
      propertyList([
        ['endpoint', endpoint?.title ?? endpoint?.name],
        ['arguments', inspect(args, { depth: 3, length: 200 })],
        ['answered', hasResponse ? `${formatTime(stamp.fetchedAt)} · #${stamp.time}` : 'not yet'],
        ['fresh for', left || (hasResponse ? 'expired' : undefined)],
        [
          `${state} because`,
          isFetchable(state) ? staleReason(record, this.#context.clock.now()) : undefined,
        ],
        ['pages', pagesText(record)],
        ['read by', readerNamesOf(record)],
      ]),
      failure && this.#failureRows(record),
      section(
        'Data',
        h('p', { class: 'dim' }, shapeOf(record)),
        node instanceof StoreRecord
          ? placeLink('show it', this.#places.of(node))
          : code(inspect(node, { length: 4_000, depth: 4, lines: true })),
      ),
    ].filter((child) => child !== undefined);
  }

  #failureRows({ failure }: ResultRecord): Child | undefined {
    if (failure === undefined) return undefined;
    const left = failure.expiresAt - this.#context.clock.now();
    const kind = failure.hard
      ? 'hard: thrown even if there are data'
      : 'soft: the data stay visible';
    return section(
      'Error',
      h('p', { class: 'wrong' }, reasonText(failure.error)),
      propertyList([
        ['kind', kind],
        ['remembered', left > 0 ? `${formatSeconds(left)} more` : 'expired'],
      ]),
    );
  }

  act(what: string, key: string): void {
    const test = { testKey: (other: string) => other === key };
    if (what === 'invalidate') this.#controller.invalidateAll(test);
    if (what === 'expire') this.#controller.expireAll(test);
    const record = this.#context.store.findResult(key);
    const endpoint = record && endpointOf(record);
    // the outcome is shown as that of any other request
    if (what === 'refetch' && endpoint)
      this.#controller.fetch(endpoint, ...record.args).catch(() => {});
  }
}

/** The endpoint of the last reader, while that reader is in memory. */
function endpointOf({ observers }: ResultRecord): EndpointInterface | undefined {
  return (observers?.readerRef?.deref() as View | undefined)?.endpoint;
}

/** `[Todo] × 24` */
function shapeOf({ kind, node }: ResultRecord): string {
  if (node === undefined) return '';
  if (node instanceof ListRecord)
    return `${kind.title} × ${node.members === undefined ? '?' : node.members.length}`;
  if (Array.isArray(node)) return `${kind.title} × ${node.length}`;
  return node instanceof StoreRecord ? `${kind.title} ${node.pk}` : kind.title;
}

function readersText(record: ResultRecord): string {
  const { count } = countReaders(record);
  return count === 0 ? '' : `read by ${count}`;
}

function readerNamesOf(record: ResultRecord): string {
  const { mounted, listeners, signals } = countReaders(record);
  const parts = [
    mounted > 0 ? `${mounted} mounted` : '',
    listeners > 0 ? formatCount(listeners, 'listener') : '',
    ...signals.map((name) => `signal of the ${name}`),
  ];
  return parts.filter((part) => part !== '').join(', ') || 'no reader';
}

/** The state of a request, as seen by readers. */
/*
 *   in flight    an error   data         state
 *   ─────────────────────────────────────────────────────────────────
 *   yes          any        any          in flight
 *   no           yes        any          error
 *   no           no         none, or invalidated    invalid
 *   no           no         expired      stale
 *   no           no         fresh        valid
 */
const states = ['in flight', 'error', 'invalid', 'stale', 'valid'] as const;

type RequestState = (typeof states)[number];

const isFetchable = (state: RequestState): boolean => state === 'stale' || state === 'invalid';

function requestState(record: ResultRecord, { inflight, clock }: FetchContext): RequestState {
  if (inflight.reads.has(record.key)) return 'in flight';
  if (record.failure !== undefined) return 'error';
  if (record.invalidatedAt !== undefined || !hasData(record)) return 'invalid';
  const now = clock.now();
  return now <= record.expiryAt(now) ? 'valid' : 'stale';
}

/** Data that are not built yet count as present, because building would count as a read. */
function hasData({ node, flags, wasReadable }: ResultRecord): boolean {
  return node !== undefined && (wasReadable || (flags & DIRTY) !== 0);
}

/** The params of the loaded pages; undefined for a list without further pages. */
function pagesText({ pages }: ResultRecord): string | undefined {
  const loaded = pages?.pages ?? [];
  if (loaded.length < 2) return undefined;
  const params = loaded.map(({ args }) => inspect(args[0], { depth: 2, length: 60 }));
  return `${loaded.length}: ${params.join(' · ')}`;
}
