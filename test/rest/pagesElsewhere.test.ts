/** A list keeps its loaded pages after a reload, in another tab, and after rendering on a server. */
import { Controller, optimistic } from 'signalbox';
import type { EndpointInterface } from 'signalbox';
import { persist } from 'signalbox/persist';
import { dehydrate, hydrateController } from 'signalbox/ssr';
import { connectTabs } from 'signalbox/tabs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PagedServer, resourceOf } from '../laws/pagedServer.ts';
import type { Paging } from '../laws/pagedServer.ts';
import { StoppedClock } from '../setup/world.ts';
import { freshDisk } from '../sync/disks.ts';
import { MessageBus } from '../sync/MessageBus.ts';

const params = { group: 'a' };

type Names = Readonly<Record<string, object>>;
/** Hands the data of one controller to another. */
type Handover = (load: (first: Controller) => Promise<void>, names: Names) => Promise<Controller>;

const clock = new StoppedClock();
const newController = () => new Controller({ optimistic, clock, retry: 0, sweepAfter: Infinity });

const handovers: readonly (readonly [string, Handover])[] = [
  [
    'after a reload',
    async (load, names) => {
      const name = freshDisk();
      const before = newController();
      const saved = persist(before, { names, name });
      await saved.ready;
      await load(before);
      await saved.flush();
      saved.stop();
      const after = newController();
      const restored = persist(after, { names, name });
      onTestFinished(() => restored.stop());
      await restored.ready;
      return after;
    },
  ],
  [
    'in another tab',
    async (load, names) => {
      const bus = new MessageBus();
      const [first, second] = [newController(), newController()];
      for (const tab of [first, second])
        onTestFinished(connectTabs(tab, { names, channel: bus.channel() }));
      await load(first);
      do {
        while (bus.waiting > 0) bus.deliver(0);
        await new Promise((resolve) => setImmediate(resolve));
      } while (bus.waiting > 0);
      return second;
    },
  ],
  [
    'from a server',
    async (load) => {
      const [server, client] = [newController(), newController()];
      await load(server);
      hydrateController(client, JSON.parse(JSON.stringify(dehydrate(server))));
      return client;
    },
  ],
];

/** A controller that has received three pages of three rows from another controller. */
async function setUp(paging: Paging, handOver: Handover) {
  const server = new PagedServer(paging, 12);
  const { rows, list } = resourceOf(server, false);
  const drain = async (): Promise<void> => {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (server.waiting.length === 0) return;
      server.advance(0);
    }
  };
  const send = async <E extends EndpointInterface>(
    controller: Controller,
    endpoint: E,
    ...args: Parameters<E>
  ) => {
    const done = controller.fetch(endpoint, ...args);
    await drain();
    return done;
  };
  const data = (controller: Controller) => controller.getResponse(list, params).data as unknown;
  const load = (controller: Controller, number: number) => {
    const { next = '' } = data(controller) as { readonly next?: string };
    const page = {
      page: { page: number },
      offset: { offset: (number - 1) * 3 },
      cursor: { cursor: next },
    };
    return send(controller, list.getPage, { ...params, ...page[paging] } as never);
  };
  const controller = await handOver(
    async (first) => {
      await send(first, list, params);
      for (const number of [2, 3]) await load(first, number);
    },
    { rows, list },
  );
  server.log.length = 0;
  const ids = () => {
    const shown = data(controller);
    const members = paging === 'cursor' ? (shown as { readonly results: unknown }).results : shown;
    return (members as { readonly id: number }[]).map(({ id }) => id);
  };
  const numbers = () => server.list('a').map(({ id }) => id);
  return { server, rows, list, controller, ids, numbers, drain, load, send };
}

describe.each(handovers)('%s', (_, handOver) => {
  describe.each(['page', 'offset', 'cursor'] as const)('pages by %s', (paging) => {
    test('[N22] a list has the rows of all loaded pages, without a request', async () => {
      const { ids, server } = await setUp(paging, handOver);
      expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(server.log).toEqual([]);
    });

    test('[N22] a refetch of the list requests all loaded pages', async () => {
      const { controller, list, drain, ids, server, numbers } = await setUp(paging, handOver);
      server.remove(2);
      const done = controller.fetch(list, params);
      await drain();
      await done;
      expect(server.log).toHaveLength(3);
      expect(ids()).toEqual(numbers().slice(0, 9));
    });

    test('[N22] a page loaded after a deletion continues the list without a gap', async () => {
      const { controller, rows, send, load, ids, numbers } = await setUp(paging, handOver);
      expect(ids()).toHaveLength(9);
      await send(controller, rows.delete, { id: 5 });
      await load(controller, 4);
      // by cursor, no gap can come of a deletion
      const count = paging === 'cursor' ? 11 : 12;
      expect(ids()).toEqual(numbers().slice(0, count));
    });
  });
});
