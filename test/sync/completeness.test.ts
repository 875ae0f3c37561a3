/** Fields that were never received are not sent as defaults: a disk and other tabs know the received fields. */
import { Collection, createResource, Entity } from 'signalbox';
import { beforeEach, expect, test } from 'vitest';
import { StoppedClock, Tag, wholeTodo } from '../setup/world.ts';
import { copyOf } from './disks.ts';
import * as kept from '../persist/persistedPages.ts';
import { get, getList } from '../persist/persistedPages.ts';
import type { Tab } from '../persist/persistedPages.ts';
import { openTabs } from '../tabs/severalTabs.ts';

let clock: StoppedClock;
beforeEach(() => {
  clock = new StoppedClock();
});

const brief = { id: 5, title: 'a', userId: 1 };
const params = { id: 5 };
const waits = ({ controller }: Pick<Tab, 'controller'>, endpoint: object = get): boolean =>
  controller.view(endpoint as typeof get, params).ensure(true) !== undefined;

test('[C6] after a reload, a detail read waits for a row that was stored without all fields', async () => {
  const write = ({ controller }: Tab) => controller.setResponse(getList, {}, [brief]);
  const tab = await kept.opened(await kept.written(clock, write), clock);
  expect(tab.controller.get(getList.schema, {})?.[0]).toMatchObject({ title: 'a', done: false });
  expect(waits(tab)).toBe(true);
});

test('[C6] an entity whose fields two pages received is complete, also after a reload', async () => {
  const disk = await kept.written(clock, ({ controller }) =>
    controller.setResponse(getList, {}, [brief]),
  );
  const second = await kept.opened(disk, clock);
  // the defaults themselves: no shown value changes
  await second.controller.set(getList.schema, {}, [{ id: 5, done: false, tags: [] }]);
  await second.kept.flush();
  expect(waits(second)).toBe(false);
  expect(waits(await kept.opened(await copyOf(disk), clock))).toBe(false);
});

test('[C6] a detail response is complete after a reload, also if fields are missing', async () => {
  const write = ({ controller }: Tab) => controller.setResponse(get, params, brief);
  const tab = await kept.opened(await kept.written(clock, write), clock);
  expect(waits(tab)).toBe(false);
  expect(tab.asked).toEqual([]);
});

test('[N4] of classes with the same key, rows are restored from a disk as the subclass', async () => {
  class Summary extends Entity {
    id = 0;
    title = '';
    static override key = 'Kept';
  }
  class Whole extends Summary {
    tags: Tag[] = [];
    static override schema = { tags: [Tag] };
  }
  const details = createResource({ path: '/kept/:id', schema: Whole });
  const list = details.getList.extend({ schema: new Collection([Summary]) });
  const names = { list, details };
  const write = async ({ controller }: Tab) => {
    await controller.setResponse(list, {}, [{ id: 5, title: 'a' }, { id: 2, title: 'b' }]); // prettier-ignore
    await controller.setResponse(details.get, { id: 2 }, { id: 2, title: 'b', tags: [{ id: 9 }] });
  };
  const tab = await kept.opened(await kept.written(clock, write, { names }), clock, { names });
  expect(tab.controller.get(Whole, { id: 2 })?.tags[0]).toBeInstanceOf(Tag);
  expect(tab.controller.get(list.schema, {})?.map(({ title }) => title)).toEqual(['a', 'b']);
  expect(waits(tab, details.get)).toBe(true);
});

test('[C6] another tab knows the received fields, also after an update by a function', async () => {
  const group = await openTabs();
  const [first, second] = group.tabs;
  await first?.setResponse(group.api.list, {}, [brief]);
  await first?.set(group.api.get.schema, params, (todo: object) => ({ ...todo, title: 'b' }));
  await group.quiet();
  expect(second?.get(group.api.get.schema, params)).toMatchObject({ title: 'b', done: false });
  expect(second?.getResponse(group.api.get, params).data).toBeUndefined();
  await first?.setResponse(group.api.list, {}, [wholeTodo(params)]);
  await group.quiet();
  expect(second?.getResponse(group.api.get, params).data).toMatchObject({ title: 'a' });
});
