/** Programs of scrolling, creating, deleting, moving and refetching on a list in pages. */
import * as fc from 'fast-check';
import { PagedServer, SIZE, newController, resourceOf } from './pagedServer.ts';
import type { Paging } from './pagedServer.ts';

/*
 * The checks:
 *   at each notification        no row twice. Without a mutation in flight: no row that was shown, is still on the server
 *                               and still lies in the loaded pages, is missing.
 *   at rest, while mounted      (of a numbered first page alone: no gap, except before own creations) exactly the rows that the server has in the loaded pages, in order; behind the pages of a
 *                               cursor also own creations that no page has brought yet.
 *   at the end                  after a refetch and the last page: the server's list.
 * A change by another client is unknown until the next refetch: the second check and the missing rows of the first check are
 * left out until then.
 */

interface PlainStep {
  readonly do: 'scroll' | 'refetch' | 'expire' | 'mount' | 'unmount' | 'rest';
}

type ForeignStep =
  | { readonly do: 'foreignCreate'; readonly top: boolean; readonly group: string }
  | { readonly do: 'foreignDelete' | 'foreignMove'; readonly at: number };

export type Step =
  | PlainStep
  | ForeignStep
  | { readonly do: 'create'; readonly top: boolean; readonly group: string }
  | { readonly do: 'delete' | 'move' | 'advance'; readonly at: number };

const group = fc.constantFrom('a', 'a', 'a', 'b');
const index = fc.nat(30);
const simple = (...names: PlainStep['do'][]) =>
  fc.constantFrom(...names).map((name): Step => ({ do: name }));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: simple('scroll') },
  { weight: 2, arbitrary: simple('refetch', 'expire') },
  { weight: 1, arbitrary: simple('mount', 'unmount') },
  { weight: 4, arbitrary: simple('rest') },
  { weight: 12, arbitrary: index.map((at): Step => ({ do: 'advance', at })) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('create' as const), top: fc.boolean(), group }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'move' as const), at: index }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('foreignCreate' as const), top: fc.boolean(), group }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('foreignDelete' as const, 'foreignMove' as const),
      at: index,
    }),
  },
);

export const program = fc.record({
  paging: fc.constantFrom<Paging>('page', 'offset', 'cursor'),
  size: fc.nat(14),
  isOptimistic: fc.boolean(),
  steps: fc.array(step, { maxLength: 40, size: 'max' }),
});

export interface Program {
  readonly paging: Paging;
  readonly size: number;
  readonly isOptimistic: boolean;
  readonly steps: readonly Step[];
}

const params = { group: 'a' };

/** Plays a program. Returns the faults. */
export async function play(given: Program): Promise<string[]> {
  const simulation = new Simulation(given);
  for (const each of given.steps) await simulation.take(each);
  await simulation.end();
  return simulation.faults;
}

const nextTask = () => new Promise<void>((resolve) => setImmediate(resolve));

class Simulation {
  readonly faults: string[] = [];
  readonly #server: PagedServer;
  readonly #controller = newController();
  readonly #resource: ReturnType<typeof resourceOf>;
  #stop: (() => void) | undefined;
  #pages = 1;
  #isScrolling = false;
  /** Another client has changed the list since the last fetch of the whole list. */
  #isUnknown = false;
  /** A mutation was in flight since the last rest. */
  #hasMutated = false;
  #shown: readonly number[] = [];
  readonly #own = new Set<number>();

  constructor({ paging, size, isOptimistic }: Program) {
    this.#server = new PagedServer(paging, size);
    this.#resource = resourceOf(this.#server, isOptimistic);
    const view = this.#controller.view(this.#resource.list, params);
    view.listen(() => this.#checkShown());
    this.#mount();
    void this.#send(this.#controller.fetch(this.#resource.list, params));
  }

  get #data(): readonly { id: number }[] | undefined {
    const data: unknown = this.#controller.getResponse(this.#resource.list, params).data;
    return (
      this.#server.paging === 'cursor' ? (data as { results: [] } | undefined)?.results : data
    ) as readonly { id: number }[] | undefined;
  }

  get #next(): string {
    const data: unknown = this.#controller.getResponse(this.#resource.list, params).data;
    return (data as { next?: string } | undefined)?.next ?? '';
  }

  #mount(): void {
    const view = this.#controller.view(this.#resource.list, params);
    this.#stop ??= view.retain();
    view.revalidate();
  }

  #send(promise: Promise<unknown>): Promise<unknown> {
    return promise.catch((error: unknown) => this.faults.push(`rejected: ${String(error)}`));
  }

  async take(given: Step): Promise<void> {
    const controller = this.#controller;
    const { list, rows } = this.#resource;
    if (given.do === 'scroll') this.#scroll();
    else if (given.do === 'refetch') void this.#send(controller.fetch(list, params));
    else if (given.do === 'expire') controller.expireAll(list);
    else if (given.do === 'mount') this.#mount();
    else if (given.do === 'unmount') this.#unmount();
    else if (given.do === 'rest') await this.#rest();
    else if (given.do === 'advance') this.#advance(given.at);
    else if (given.do === 'create') {
      this.#hasMutated = true;
      const create = given.top ? list.unshift : list.push;
      const where = { group: given.group, ...(given.top && { top: '1' }) };
      const body = { group: given.group };
      void this.#send(controller.fetch(create, where, body).then(({ id }) => this.#own.add(id)));
    } else if (given.do === 'delete' || given.do === 'move') {
      const row = this.#pick(given.at, this.#data ?? []);
      if (row !== undefined && row.id > 0) {
        this.#hasMutated = true;
        const { id } = row;
        if (given.do === 'move') this.#own.add(id);
        void this.#send(
          given.do === 'delete'
            ? controller.fetch(rows.delete, { id })
            : controller.fetch(list.move, { id }, { group: 'b' }),
        );
      }
    } else this.#changeElsewhere(given as ForeignStep);
    await nextTask();
  }

  #unmount(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #pick<T>(at: number, from: readonly T[]): T | undefined {
    return from[at % Math.max(1, from.length)];
  }

  #scroll(): void {
    const { getPage } = this.#resource.list;
    if (this.#isScrolling || this.#data === undefined) return;
    if (this.#server.paging === 'cursor' && this.#next === '') return;
    const added = {
      page: { page: this.#pages + 1 },
      offset: { offset: this.#pages * SIZE },
      cursor: { cursor: this.#next },
    }[this.#server.paging];
    this.#isScrolling = true;
    const arrived = this.#controller.fetch(getPage, { ...params, ...added } as never).then(() => {
      this.#isScrolling = false;
      this.#pages++;
    });
    void this.#send(arrived);
  }

  #changeElsewhere(given: ForeignStep): void {
    this.#isUnknown = true;
    if (given.do === 'foreignCreate') this.#server.insert(given.group, given.top ? 'start' : 'end');
    else {
      const row = this.#pick(given.at, this.#server.rows);
      if (row === undefined) return;
      if (given.do === 'foreignDelete') this.#server.remove(row.id);
      else this.#server.toEnd(row, row.group === 'a' ? 'b' : 'a');
    }
  }

  #advance(at: number): void {
    const { waiting } = this.#server;
    if (waiting.length > 0) this.#server.advance(at % waiting.length);
  }

  async #drain(): Promise<void> {
    for (let count = 0; count < 2_000; count++) {
      await nextTask();
      if (this.#server.waiting.length === 0) return;
      this.#server.advance(0);
    }
    this.faults.push('requests without end');
  }

  async #rest(): Promise<void> {
    await this.#drain();
    if (this.#stop !== undefined && !this.#isUnknown) this.#compareAtRest();
    this.#hasMutated = false;
  }

  #compareAtRest(): void {
    // requests that are answered in another order leave own creations in another order, until these are fetched
    const isOther = (id: number) => !this.#own.has(id);
    const shown = (this.#data ?? []).map(({ id }) => id);
    if (this.#server.paging === 'cursor') {
      const order = (ids: readonly number[]) => [
        ...ids.filter(isOther),
        ...ids.filter((id) => !isOther(id)).sort((a, b) => a - b),
      ];
      // an own creation that another user has deleted is removed once the end of the list is loaded
      const known = new Set(this.#server.list('a').map(({ id }) => id));
      const present = shown.filter((id) => this.#next === '' || isOther(id) || known.has(id));
      if (order(present).join() !== order(this.#expected()).join())
        this.#compare(this.#expected(), 'at rest');
      return;
    }
    if (this.#pages > 1) {
      // an own creation that was confirmed while the first page was read stays at the end until the page of the row is read
      const known = new Set(this.#server.list('a').map(({ id }) => id));
      let end = shown.length;
      const isKnownOwn = (id = 0) => !isOther(id) && known.has(id);
      while (end > this.#pages * SIZE && isKnownOwn(shown[end - 1])) end--;
      return this.#compare(this.#expected(), 'at rest', shown.slice(0, end));
    }
    // no response says yet that the first page will be followed by others
    const all = this.#server.list('a').map(({ id }) => id);
    const others = shown.filter(isOther);
    const isPrefix = others.join() === all.filter(isOther).slice(0, others.length).join();
    if (!isPrefix || !shown.every((id) => all.includes(id)))
      this.faults.push(`at rest: shows ${shown.join()} of ${all.join()}`);
  }

  /** The rows that the loaded pages have on the server. */
  #expected(): number[] {
    const all = this.#server.list('a');
    if (this.#server.paging !== 'cursor')
      return all.slice(0, this.#pages * SIZE).map(({ id }) => id);
    const shown = new Set(this.#data?.map(({ id }) => id));
    const received = all.filter(({ id }) => shown.has(id) && !this.#own.has(id));
    // a page that was requested during a refetch of all pages may leave an older cursor, which overlaps with the rows
    const last = Math.max(
      this.#next === '' ? Infinity : Number(this.#next.slice(1)),
      ...received.map(({ rank }) => rank),
    );
    const loaded = all.filter(({ rank }) => rank <= last);
    const own = all.filter(({ id, rank }) => rank > last && this.#own.has(id) && shown.has(id));
    return [...loaded, ...own].map(({ id }) => id);
  }

  #compare(
    expected: readonly number[],
    when: string,
    shown: readonly number[] = (this.#data ?? []).map(({ id }) => id),
  ): void {
    if (shown.join() !== expected.join())
      this.faults.push(`${when}: shows ${shown.join()}, expected ${expected.join()}`);
  }

  #checkShown(): void {
    const shown = (this.#data ?? []).map(({ id }) => id);
    if (new Set(shown).size < shown.length) this.faults.push(`twice: ${shown.join()}`);
    const before = this.#shown;
    this.#shown = shown;
    if (this.#isUnknown || this.#hasMutated || this.#data === undefined) return;
    const expected = new Set(this.#expected());
    const missing = before.filter((id) => expected.has(id) && !shown.includes(id));
    if (missing.length > 0) this.faults.push(`missing: ${missing.join()} in ${shown.join()}`);
  }

  async end(): Promise<void> {
    await this.#drain();
    this.#mount();
    await this.#drain();
    void this.#send(this.#controller.fetch(this.#resource.list, params));
    await this.#drain();
    this.#isUnknown = this.#hasMutated = false;
    if (this.#server.paging === 'cursor') this.#compareAtRest();
    else this.#compare(this.#expected(), 'after the refetch');
    const all = this.#server.list('a').length;
    for (let count = 0; count <= all / SIZE + 1; count++) {
      this.#scroll();
      await this.#drain();
    }
    this.#compare(
      this.#server.list('a').map(({ id }) => id),
      'at the end',
    );
    this.#unmount();
  }
}
