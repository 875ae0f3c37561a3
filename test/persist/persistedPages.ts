// Pages that are opened one after another on the same disk: their controllers and their requests.
import { Controller, createResource, optimistic } from 'signalbox';
import type { ControllerOptions } from 'signalbox';
import { persist } from 'signalbox/persist';
import type { Persistence, PersistOptions } from 'signalbox/persist';
import { vi } from 'vitest';
import { Todo } from '../setup/world.ts';
import type { StoppedClock } from '../setup/world.ts';
import { freshDisk } from '../sync/disks.ts';

export const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
export const { get, getList } = TodoResource;
export const A_MINUTE = 60_000;

/** A page. */
export interface Tab {
  readonly controller: Controller;
  /** The keys of the requests. */
  readonly asked: string[];
  readonly kept: Persistence;
  /** Answers by key; a promise: not yet. */
  readonly answers: Map<string, unknown>;
}

export type TabOptions = Partial<PersistOptions> & ControllerOptions;

/** A page on this disk, which has not been read. */
export function open(disk: string, clock: StoppedClock, options: TabOptions = {}): Tab {
  const asked: string[] = [];
  const answers = new Map<string, unknown>();
  const controller = new Controller({
    optimistic,
    clock,
    retry: 0,
    sweepAfter: Infinity,
    ...options,
    send: (endpoint, args) => {
      const key = endpoint.key(...args);
      asked.push(key);
      return Promise.resolve(answers.get(key));
    },
  });
  const { version, maxAge, include, leaving, owner, transform, storage } = options;
  const { names = { todo: TodoResource } } = options;
  const rest = { owner, transform, storage, name: disk };
  const kept = persist(controller, { names, version, maxAge, include, leaving, ...rest });
  return { controller, asked, answers, kept };
}

/** A page after the disk has been read. */
export async function opened(
  disk: string,
  clock: StoppedClock,
  options?: TabOptions,
): Promise<Tab> {
  const tab = open(disk, clock, options);
  await tab.kept.ready;
  return tab;
}

const flags = { done: false, userId: 1 };
export const rows = [
  { id: 1, title: 'one', author: { id: 3, name: 'Ada' }, tags: [{ id: 8, label: 'x' }], ...flags },
  { id: 2, title: 'two', tags: [], ...flags },
];

/** A disk with a list, left by a page. */
export async function written(
  clock: StoppedClock,
  more?: (tab: Tab) => unknown,
  options?: TabOptions,
): Promise<string> {
  const disk = freshDisk();
  const tab = await opened(disk, clock, options);
  await tab.controller.setResponse(getList, {}, rows);
  await more?.(tab);
  await tab.kept.flush();
  tab.kept.stop();
  return disk;
}

/** The titles in the list of a page. */
export function titles({ controller }: Tab): readonly string[] | undefined {
  return controller.getResponse(getList, {}).data?.map(({ title }) => title);
}

/** The warnings from here on. */
export function warnings(): readonly string[] {
  const said: string[] = [];
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void said.push(text));
  return said;
}
