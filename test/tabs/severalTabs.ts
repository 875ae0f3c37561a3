// Several tabs of an application: the controllers, a shared clock, a server, and the messages between the tabs.
import { Collection, Controller, Delete, optimistic } from 'signalbox';
import { connectTabs, shareRequests } from 'signalbox/tabs';
import type { TabChannel, TabsOptions } from 'signalbox/tabs';
import { settled, Todo, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';
import { MessageBus } from '../sync/MessageBus.ts';
import { TabLocks } from './TabLocks.ts';

export const todos = new Collection([Todo]);

export function endpointsOf(w: World) {
  return {
    get: w.read('get', Todo),
    list: w.read('list', todos),
    update: w.mutation('update', Todo),
    create: w.mutation('create', todos.push),
    remove: w.mutation('remove', new Delete(Todo)),
  };
}

export class TabGroup {
  readonly w: World = world();
  readonly bus: MessageBus = new MessageBus();
  readonly api: ReturnType<typeof endpointsOf> = endpointsOf(this.w);
  readonly tabs: Controller[] = [];
  readonly stops: (() => void)[] = [];
  readonly locks: TabLocks = new TabLocks();
  readonly #channels: TabChannel[] = [];

  /** Rows to which the server has assigned a key. */
  rows = 100;

  /** Opens another tab. */
  open(options: Partial<TabsOptions> = {}): Controller {
    const { clock, page } = this.w;
    const tab = new Controller({
      optimistic,
      clock,
      surroundings: page,
      sweepAfter: Infinity,
      retry: 0,
    });
    const channel = this.bus.channel();
    const locks = this.locks.of(channel);
    this.stops.push(connectTabs(tab, { names: this.api, channel, locks, ...options }));
    this.tabs.push(tab);
    this.#channels.push(channel);
    return tab;
  }

  /** Opens another tab, which shares requests. */
  share(options: Partial<TabsOptions> = {}): Controller {
    return this.open({ share: shareRequests, ...options });
  }

  /** The process of a tab ends: the tab sends no more messages, and releases all locks. */
  kill(at: number): void {
    this.#channels[at]?.close();
    this.locks.kill(this.#channels[at] as TabChannel);
  }

  /** Delivers all messages. */
  async quiet(): Promise<void> {
    await settled();
    while (this.bus.waiting > 0) {
      this.bus.deliver(0);
      await settled();
    }
  }
}

/** Opens connected tabs. */
export async function openTabs(count = 2): Promise<TabGroup> {
  const made = new TabGroup();
  for (let at = 0; at < count; at++) made.open();
  await made.quiet();
  return made;
}
