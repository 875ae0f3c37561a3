/** A list has loaded pages: the requests after a change or a refetch, and the rows shown meanwhile. */
import { Collection, createResource, Entity } from 'signalbox';
import type { EndpointInterface } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { PagedServer, newController, resourceOf } from '../laws/pagedServer.ts';
import type { Paging } from '../laws/pagedServer.ts';
import { play } from '../laws/pagesProgram.ts';

const params = { group: 'a' };

/** A mounted list with `count` loaded pages of three; `drain` answers all requests. */
async function setUp(paging: Paging, count: number, size = 12) {
  const server = new PagedServer(paging, size);
  const { rows, list } = resourceOf(server, false);
  const controller = newController();
  const view = controller.view(list, params);
  const data = () => controller.getResponse(list, params).data as unknown;
  const envelope = () => data() as { results: { id: number }[]; next: string };
  const ids = () =>
    (paging === 'cursor' ? envelope().results : (data() as { id: number }[])).map(({ id }) => id);
  const drain = async (): Promise<void> => {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (server.waiting.length === 0) return;
      server.advance(0);
    }
  };
  const send = async <E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>) => {
    const done = controller.fetch(endpoint, ...args);
    await drain();
    return done;
  };
  const load = (number: number) => {
    const page = {
      page: { page: number },
      offset: { offset: (number - 1) * 3 },
      cursor: { cursor: paging === 'cursor' ? envelope().next : '' },
    }[paging];
    return send(list.getPage, { ...params, ...page } as never);
  };
  await send(list, params);
  for (let number = 2; number <= count; number++) await load(number);
  const unmount = view.retain();
  server.log.length = 0;
  const numbers = () => server.list('a').map(({ id }) => id);
  return { server, rows, list, controller, ids, numbers, drain, send, load, unmount, view };
}

describe.each(['page', 'offset'] as const)('pages by %s', (paging) => {
  test('[N22] a page loaded after a deletion from two loaded pages leaves no gap', async () => {
    const { rows, send, load, ids, numbers } = await setUp(paging, 2);
    await send(rows.delete, { id: 2 });
    await load(3);
    expect(ids()).toEqual(numbers().slice(0, 9));
  });

  test('[N22] a page loaded after a deletion in an unmounted list leaves no gap', async () => {
    const { rows, send, load, ids, numbers, unmount } = await setUp(paging, 2);
    unmount();
    await send(rows.delete, { id: 2 });
    expect(ids()).toEqual([1, 3, 4, 5, 6]);
    await load(3);
    expect(ids()).toEqual(numbers().slice(0, 9));
  });

  test('[N22] a page loaded after a deletion from a single loaded page leaves no gap', async () => {
    const { rows, send, load, ids, numbers } = await setUp(paging, 1);
    await send(rows.delete, { id: 2 });
    await load(2);
    expect(ids()).toEqual(numbers().slice(0, 6));
  });

  test('[N22] a deletion refetches from the changed page to the last loaded one', async () => {
    const { rows, send, server, ids, numbers } = await setUp(paging, 3);
    await send(rows.delete, { id: 5 });
    const [second, third] = paging === 'page' ? ['page=2', 'page=3'] : ['offset=3', 'offset=6'];
    expect(server.log).toEqual([
      'DELETE /rows/5',
      `GET /rows?group=a&${second}`,
      `GET /rows?group=a&${third}`,
    ]);
    expect(ids()).toEqual(numbers().slice(0, 9));
  });

  test('[N22] a creation at the end or at the start refetches the loaded pages', async () => {
    for (const verb of ['push', 'unshift'] as const) {
      const { list, send, ids, numbers } = await setUp(paging, 2);
      const where = { group: 'a', ...(verb === 'unshift' && { top: '1' }) };
      await send(list[verb], where, { group: 'a' });
      expect(ids()).toEqual(numbers().slice(0, 6));
    }
  });

  test('[N22] a move of a row to another list refetches the loaded pages of the former list', async () => {
    const { list, send, ids, numbers } = await setUp(paging, 2);
    await send(list.move, { id: 4 }, { group: 'b' });
    expect(ids()).toEqual(numbers().slice(0, 6));
  });

  test('[N22] a loaded page that is fetched again and has other rows refetches all pages', async () => {
    const { server, load, ids, numbers } = await setUp(paging, 3);
    server.remove(1);
    await load(2);
    expect(ids()).toEqual(numbers().slice(0, 9));
  });

  test('[N22] a page in flight while a row is deleted is requested again', async () => {
    const { rows, list, controller, server, ids, numbers, drain } = await setUp(paging, 2);
    const page = paging === 'page' ? { page: 3 } : { offset: 6 };
    const arrived = controller.fetch(list.getPage, { ...params, ...page } as never);
    await new Promise((resolve) => setImmediate(resolve));
    // the server has read the rows, the response is in flight
    server.advance(0);
    const deleted = controller.fetch(rows.delete, { id: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    server.advance(1);
    server.advance(1);
    await drain();
    await Promise.all([arrived, deleted]);
    expect(ids()).toEqual(numbers().slice(0, 9));
  });

  test('[N22] a page in flight during a deletion and a refetch of the list is requested again', async () => {
    for (const deletionFirst of [false, true]) {
      const { rows, list, controller, server, ids, numbers, drain } = await setUp(paging, 1);
      const page = paging === 'page' ? { page: 2 } : { offset: 3 };
      const tick = () => new Promise((resolve) => setImmediate(resolve));
      const asked: Promise<unknown>[] = [
        controller.fetch(list.getPage, { ...params, ...page } as never),
      ];
      await tick();
      server.advance(0);
      asked.push(controller.fetch(rows.delete, { id: 2 }));
      await tick();
      server.advance(1);
      asked.push(controller.fetch(list, params));
      await tick();
      server.advance(2);
      server.advance(2);
      await tick();
      // the deletion is answered before or after the page
      if (deletionFirst) server.advance(1);
      await drain();
      await Promise.all(asked);
      expect(ids()).toEqual(numbers().slice(0, 6));
    }
  });

  test('[N22] a page in flight when expireAll refetches the list is requested again', async () => {
    const { list, controller, server, ids, numbers, drain } = await setUp(paging, 2);
    const page = paging === 'page' ? { page: 3 } : { offset: 6 };
    const arrived = controller.fetch(list.getPage, { ...params, ...page } as never);
    await new Promise((resolve) => setImmediate(resolve));
    // the server has read the rows, the response is in flight
    server.advance(0);
    server.insert('a', 'start');
    controller.expireAll(list);
    await new Promise((resolve) => setImmediate(resolve));
    // the list first
    while (server.waiting.length > 1) {
      server.advance(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(ids()).toEqual(numbers().slice(0, 6));
    await drain();
    await arrived;
    expect(ids()).toEqual(numbers().slice(0, 9));
  });

  test('[N22] a deletion during a refetch of all pages refetches the pages from the start', async () => {
    const { rows, list, controller, server, ids, numbers, drain } = await setUp(paging, 3);
    const seen: number[][] = [];
    const again = controller.fetch(list, params);
    await new Promise((resolve) => setImmediate(resolve));
    server.advance(0);
    server.advance(0);
    controller.view(list, params).listen(() => seen.push(ids()));
    const deleted = controller.fetch(rows.delete, { id: 1 });
    await drain();
    await Promise.all([again, deleted]);
    expect(ids()).toEqual(numbers().slice(0, 9));
    for (const shown of seen) expect(shown.slice(0, 5)).toEqual([2, 3, 4, 5, 6]);
  });
});

test('[N22] a list with pages read before and after a deletion in flight equals the list of the server', async () => {
  const steps = [
    { do: 'rest' },
    { do: 'scroll' },
    { do: 'advance', at: 0 },
    { do: 'refetch' },
    { do: 'delete', at: 0 },
    { do: 'advance', at: 2 },
    { do: 'rest' },
  ] as const;
  expect(await play({ paging: 'page', size: 7, isOptimistic: false, steps })).toEqual([]);
});

test('[N22] a list equals the server after an own created row is deleted while a page is in flight', async () => {
  const steps = [
    { do: 'create', top: true, group: 'a' },
    { do: 'rest' },
    { do: 'delete', at: 0 },
    { do: 'scroll' },
    { do: 'advance', at: 1 },
    { do: 'rest' },
  ] as const;
  expect(await play({ paging: 'page', size: 6, isOptimistic: false, steps })).toEqual([]);
});

test('[N22] a second page loaded during a refetch of the first page with other rows equals the server', async () => {
  const { server, list, controller, ids, numbers, drain } = await setUp('page', 1);
  const refetched = controller.fetch(list, params);
  const paged = controller.fetch(list.getPage, { ...params, page: 2 } as never);
  await new Promise((resolve) => setImmediate(resolve));
  server.advance(1);
  server.advance(1);
  await new Promise((resolve) => setImmediate(resolve));
  server.insert('a', 'start');
  await drain();
  await Promise.all([refetched, paged]);
  expect(ids()).toEqual(numbers().slice(0, 6));
});

test.each(['page', 'offset'] as const)(
  '[N22] a further page by %s that the server read before the change in a refetched first page is requested again',
  async (paging) => {
    const { server, list, controller, ids, numbers, drain } = await setUp(paging, 1);
    const refetched = controller.fetch(list, params);
    const second = paging === 'page' ? { page: 2 } : { offset: 3 };
    const paged = controller.fetch(list.getPage, { ...params, ...second } as never);
    await new Promise((resolve) => setImmediate(resolve));
    // the server has read the second page, the response is in flight
    server.advance(1);
    server.insert('a', 'start');
    await drain();
    await Promise.all([refetched, paged]);
    expect(ids()).toEqual(numbers().slice(0, 6));
  },
);

test('[N22] a page that arrives after a creation on top, confirmed after a refetch had the row, leaves no gap', async () => {
  const steps = [
    { do: 'create', top: false, group: 'a' },
    ...[0, 0, 0].map((at) => ({ do: 'advance', at }) as const),
    { do: 'refetch' },
    { do: 'create', top: true, group: 'a' },
    { do: 'advance', at: 0 },
    { do: 'scroll' },
    { do: 'advance', at: 2 },
    { do: 'advance', at: 1 },
    { do: 'rest' },
  ] as const;
  expect(await play({ paging: 'page', size: 2, isOptimistic: false, steps })).toEqual([]);
});

describe('pages by cursor', () => {
  test('[N22] a row created at the end of a list by cursor stays behind pages loaded later, until a page has the row', async () => {
    const { controller, list, load, send, server, ids, numbers } = await setUp('cursor', 2);
    const { id } = await send(list.push, params, { group: 'a' });
    const results = server.list('a').slice(0, 3);
    await controller.setResponse(list as EndpointInterface, params, { results, next: 'r3' });
    expect(ids()).toEqual([...numbers().slice(0, 6), id]);
    await load(3);
    expect(ids()).toEqual([...numbers().slice(0, 9), id]);
    await load(4);
    await load(5);
    expect(ids()).toEqual(numbers());
  });

  /** The list is refetched while a single page is loaded, and the second page is in flight. */
  const racing = async () => {
    const it = await setUp('cursor', 1, 7);
    const refetched = it.controller.fetch(it.list, params);
    const paged = it.controller.fetch(it.list.getPage, { ...params, cursor: 'r3' } as never);
    await new Promise((resolve) => setImmediate(resolve));
    return { ...it, arrived: () => Promise.all([refetched, paged]) };
  };

  test('[N22] a second page that does not continue the refetched first page is requested again', async () => {
    const { server, ids, numbers, drain, arrived } = await racing();
    server.advance(1);
    server.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
    server.insert('a', 'start');
    server.insert('a', 'start');
    await drain();
    await arrived();
    expect(ids()).toEqual(numbers().slice(0, 6));
    expect(server.log.slice(2)).toEqual(['GET /rows?cursor=r1&group=a']);
  });

  test('[N22] a second page that continues the refetched first page is not requested again', async () => {
    const { server, ids, numbers, drain, arrived } = await racing();
    server.advance(1);
    server.advance(1);
    await drain();
    await arrived();
    expect(ids()).toEqual(numbers().slice(0, 6));
    expect(server.log).toHaveLength(2);
  });

  test('[N22] a late older response of the first page does not change the cursor of the next page', async () => {
    const { controller, list, rows, server, ids, numbers, drain, load } = await setUp(
      'cursor',
      1,
      7,
    );
    const asked = [controller.fetch(list, params), controller.fetch(rows.delete, { id: 1 })];
    const tick = () => new Promise((resolve) => setImmediate(resolve));
    await tick();
    for (const at of [0, 1, 1]) server.advance(at);
    await tick();
    asked.push(controller.fetch(list, params));
    await tick();
    for (const at of [1, 1]) server.advance(at);
    await drain();
    await Promise.allSettled(asked);
    await load(2);
    server.insert('a', 'start');
    void controller.fetch(list, params);
    await drain();
    expect(ids()).toEqual(numbers().slice(0, 6));
  });

  test('[N22] a second page read before the list became shorter is not added', async () => {
    const { server, ids, numbers, drain, arrived } = await racing();
    server.advance(1);
    for (const id of [4, 5, 6, 7]) server.remove(id);
    await drain();
    await arrived();
    expect(ids()).toEqual(numbers());
  });

  test('[N22] a deletion and a creation in a list by cursor refetch no page', async () => {
    const { rows, list, send, server, ids } = await setUp('cursor', 2);
    await send(rows.delete, { id: 2 });
    await send(list.push, params, { group: 'a' });
    expect(server.log).toEqual(['DELETE /rows/2', 'POST /rows?group=a']);
    expect(ids()).toEqual([1, 3, 4, 5, 6, 13]);
  });

  test('[N22] an own created row stays at the end of a list by cursor until a loaded page contains the row', async () => {
    const { list, send, load, ids, numbers } = await setUp('cursor', 2, 8);
    await send(list.push, params, { group: 'a' });
    expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 9]);
    await send(list, params);
    expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 9]);
    await load(3);
    expect(ids()).toEqual(numbers());
  });

  test('[N22] an own created row that the server puts on a loaded page stays at the end until a refetch', async () => {
    const { list, send, load, ids, numbers } = await setUp('cursor', 2, 8);
    await send(list.push, { group: 'a', top: '1' }, { group: 'a' });
    await load(3);
    expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await send(list, params);
    expect(ids()).toEqual(numbers());
  });

  test('[N22] an own created row that no page contains leaves the list when the last page is loaded', async () => {
    const { server, list, send, load, ids, numbers } = await setUp('cursor', 2, 8);
    await send(list.push, params, { group: 'a' });
    await send(list, params);
    server.remove(9);
    await load(3);
    expect(ids()).toEqual(numbers());
  });

  test('[N22] a refetch of two pages uses the cursor of each preceding response', async () => {
    const { server, list, send, ids, numbers } = await setUp('cursor', 2);
    server.insert('a', 'start');
    await send(list, params);
    expect(ids()).toEqual(numbers().slice(0, 6));
    expect(server.log).toEqual(['GET /rows?group=a', 'GET /rows?cursor=r2&group=a']);
  });

  test('[N22] a last page without a cursor sets the cursor of the list to an empty text', async () => {
    const { controller, list, load, send } = await setUp('cursor', 2, 8);
    await load(3);
    const end = () => (controller.getResponse(list, params).data as { next?: string }).next;
    expect(end()).toBe('');
    await send(list, params);
    expect(end()).toBe('');
  });
});

test.each([
  ['a total', (next: string, total: number) => ({ total, next })],
  ['a total in another place', (next: string, total: number) => ({ next, meta: { total } })],
  ['a total as text', (next: string, total: number) => ({ total: String(total), next })],
])(
  '[N22] a refetch of a list by cursor reads the cursor from its member, also if it equals %s',
  async (_, around) => {
    class Mail extends Entity {
      id = 0;
    }
    const all = [3, 5, 7, 9, 11, 13, 15];
    const mails = createResource({ path: '/mails/:id', schema: Mail, paginationField: 'cursor' });
    const list = mails.getList.extend({
      schema: { results: new Collection([Mail]), next: '' },
      fetch: async ({ cursor = '0' }: { cursor?: string } = {}) => {
        const rest = all.filter((id) => id > Number(cursor));
        const results = rest.slice(0, 3).map((id) => ({ id }));
        return { ...around(rest.length > 3 ? String(rest[2]) : '', all.length), results };
      },
    });
    const controller = newController();
    const { next } = await controller.fetch(list);
    await controller.fetch(list.getPage, { cursor: next });
    all.push(17, 19, 21, 23);
    const { results } = await controller.fetch(list);
    expect(results.map(({ id }) => id)).toEqual([3, 5, 7, 9, 11, 13]);
  },
);

test.each(['page', 'offset', 'cursor'] as const)(
  '[N22] expireAll and fetch refetch three pages by %s, and store all in one commit',
  async (paging) => {
    const { server, controller, list, ids, numbers, drain, view } = await setUp(paging, 3);
    for (const refetch of [
      () => controller.expireAll(list),
      () => void controller.fetch(list, params),
    ]) {
      server.remove(numbers()[4] ?? 0);
      server.remove(numbers()[0] ?? 0);
      const before = ids();
      const seen: number[][] = [];
      const stop = view.listen(() => seen.push(ids()));
      refetch();
      await drain();
      stop();
      expect(seen).toEqual([numbers().slice(0, 9)]);
      expect(before).not.toEqual(ids());
    }
  },
);

test('[N22] an identical refetch of all pages changes no reference and notifies no reader', async () => {
  const { controller, list, send, view } = await setUp('cursor', 3);
  const before: unknown = controller.getResponse(list, params).data;
  let notified = 0;
  view.listen(() => notified++);
  await send(list, params);
  expect(controller.getResponse(list, params).data).toBe(before);
  expect(notified).toBe(0);
});

test('[N22] a refetch with a page that responds with 404 ends the list before that page', async () => {
  class Line extends Entity {
    id = 0;
  }
  let size = 4;
  const lines = createResource({ path: '/lines/:id', schema: Line, paginationField: 'page' });
  const list = lines.getList.extend({
    schema: new Collection([Line]),
    fetch: async ({ page = 1 }: { page?: number } = {}) => {
      const all = Array.from({ length: size }, (_, at) => ({ id: at + 1 }));
      const rows = all.slice(page * 2 - 2, page * 2);
      if (rows.length === 0) throw Object.assign(new Error('invalid page'), { status: 404 });
      return rows;
    },
  });
  const controller = newController();
  await controller.fetch(list);
  await controller.fetch(list.getPage, { page: 2 });
  size = 2;
  expect((await controller.fetch(list)).map(({ id }) => id)).toEqual([1, 2]);
  expect(controller.getError(list)).toBeUndefined();
});
