/** The tab of layers: optimistic writes that are not confirmed, in the order of issue. */
import type { Controller } from '../../Controller.ts';
import type { Layer } from '../../optimistic/Layer.ts';
import { layersOf } from '../../optimistic/Layers.ts';
import { pendingMembersOf } from '../../optimistic/foldChanges.ts';
import type { PendingChange } from '../../optimistic/foldChanges.ts';
import { patchOf } from '../../optimistic/patchOf.ts';
import { contextOf } from '../../request/FetchContext.ts';
import { EntityRecord, StoreRecord, isStoredList } from '../../store/StorePort.ts';
import { callTitle, recordName } from '../toPlain.ts';
import { entityFields } from './EntityTab.ts';
import {
  rowsOf,
  cell,
  formatCount,
  formatSeconds,
  heading,
  placeLink,
  propertyList,
  section,
  table,
} from './PanelTab.ts';
import type { PanelTab, TabRows } from './PanelTab.ts';
import type { RecordPlaces } from './RecordPlaces.ts';
import { h } from './VNode.ts';
import type { Child, VNode } from './VNode.ts';
import { inspect } from './inspect.ts';

export class LayerTab implements PanelTab {
  readonly title = 'Layers';
  readonly empty = 'No optimistic changes.';
  readonly #controller: Controller;
  readonly #places: RecordPlaces;

  constructor(controller: Controller, places: RecordPlaces) {
    this.#controller = controller;
    this.#places = places;
  }

  get #layers(): readonly Layer[] {
    const layers = [...layersOf(contextOf(this.#controller).store).active];
    return layers.sort((one, other) => one.issued - other.issued);
  }

  get count(): number {
    return contextOf(this.#controller).store.layers.active.size;
  }

  groups(): readonly never[] {
    return [];
  }

  rows(_group: string, filter: string): TabRows {
    const visible = this.#layers.filter((layer) =>
      callTitle(layer.call).toLowerCase().includes(filter),
    );
    return rowsOf(
      visible,
      ({ issued }) => String(issued),
      (layer) => [
        cell('number', `#${layer.issued}`),
        cell('title', callTitle(layer.call)),
        cell('preview', Array.from(layer.writtenRecords, recordName).join(', ')),
        cell('end', this.#age(layer)),
      ],
    );
  }

  /** How long the layer has existed. */
  #age({ issued }: Layer): string {
    const { inflight, clock } = contextOf(this.#controller);
    for (const request of inflight.allRequests)
      if (request.issued === issued) return formatSeconds(clock.now() - request.fetchedAt);
    return '';
  }

  detail(key: string): readonly Child[] | undefined {
    const layer = this.#layers.find(({ issued }) => String(issued) === key);
    if (layer === undefined) return undefined;
    const { writtenRecords, call } = layer;
    return [
      heading(callTitle(layer.call), h('span', { class: 'dim' }, `#${layer.issued}`)),
      propertyList([
        ['arguments', inspect(call.args, { depth: 3, length: 200 })],
        ['changes', formatCount(writtenRecords.length, 'record')],
      ]),
      ...Array.from(writtenRecords, (record) =>
        section(
          '',
          placeLink(recordName(record), this.#places.of(record)),
          record instanceof EntityRecord
            ? this.#fields(layer, record)
            : this.#members(layer, record),
        ),
      ),
    ];
  }

  /** The confirmed and the optimistic value of each field. */
  #fields({ draft }: Layer, record: EntityRecord): VNode {
    const says = patchOf(draft, record);
    if (says === undefined) return h('p', { class: 'wrong' }, 'is deleted');
    const before = entityFields(record, record.base);
    const rows = (says.recordShape?.names ?? []).map((name) => {
      const at = record.kind.descriptor.nestedIndexes.get(name);
      const expected = inspect(at === undefined ? says.fields[name] : says.nodes[at]);
      const known = before?.has(name) === true ? inspect(before.get(name)) : 'nothing';
      const attributes = { class: expected === known ? 'dim' : 'expected' };
      return [h('b', {}, name), known, h('span', attributes, expected)];
    });
    return table(['field', 'confirmed', 'expected'], rows);
  }

  #members({ issued }: Layer, record: StoreRecord): VNode {
    const changes = (isStoredList(record) && pendingMembersOf(record)?.changes) || [];
    const layerChanges = changes.filter((change) => change.issued === issued);
    return h(
      'ul',
      {},
      ...layerChanges.map(({ op, members }) =>
        h(
          'li',
          {},
          h('span', { class: 'dim' }, `${moveNames[op]} `),
          ...members
            .filter((member) => member instanceof StoreRecord)
            .slice(0, 50)
            .map((member) => placeLink(recordName(member), this.#places.of(member))),
        ),
      ),
    );
  }
}

const moveNames: { readonly [op in PendingChange['op']]: string } = {
  start: 'added at the start:',
  end: 'added at the end:',
  out: 'leaves:',
  delete: 'is deleted:',
  merge: 'assigned:',
  fill: 'all members:',
  append: 'next page:',
};
