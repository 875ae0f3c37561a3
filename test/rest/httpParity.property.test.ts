/** Random programs, with the policy and without: the stored data are equal, also after conditional requests. */
import * as fc from 'fast-check';
import { Controller, createResource, httpCache } from 'signalbox';
import { afterEach, expect, test, vi } from 'vitest';
import { runs } from '../laws/runs.ts';
import { settled, StoppedClock, Todo } from '../setup/world.ts';

const ids = [1, 2] as const;
const id = fc.constantFrom(...ids);
// few titles: earlier titles return
const title = fc.constantFrom('a', 'b');
const asked = fc.constantFrom('list' as const, ...ids);
const ours = fc.oneof(
  fc.record({ do: fc.constant('push' as const), id, title }),
  fc.record({ do: fc.constant('patch' as const), id, title }),
  fc.record({ do: fc.constant('invalidate' as const), asked }),
  fc.record({ do: fc.constant('expire' as const) }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 10_000, 60_001) }),
);
const ofOthers = fc.oneof(fc.record({ do: fc.constant('serve' as const), id, title }), ours);
// changes while the request is in flight: before the server reads the row, and after that (a retried request sees the change later)
const read = fc.record({
  do: fc.constant('read' as const),
  asked,
  before: fc.array(ofOthers, { maxLength: 2 }),
  behind: fc.array(ours, { maxLength: 2 }),
});
type Step = typeof read | typeof ofOthers extends fc.Arbitrary<infer S> ? S : never;

// as max-age says
const LASTS = { dataExpiryLength: 10_000 };

/** A server in memory, and a controller. */
class Side {
  readonly rows = new Map<number, string>(ids.map((one) => [one, 'a']));
  readonly clock = new StoppedClock();
  readonly controller = new Controller({ clock: this.clock, retry: 0, sweepAfter: Infinity });
  readonly statuses: number[] = [];
  readonly #todos;
  #gates: Promise<void>[] = [];

  constructor(isCaching: boolean) {
    const http = isCaching && httpCache;
    this.#todos = createResource({ path: '/todos/:id', schema: Todo, http, ...LASTS });
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const [looks, answers] = this.#gates;
    const one = Number(url.split('/')[2]);
    if (init.method === 'PATCH')
      this.rows.set(one, (JSON.parse(init.body as string) as { title: string }).title);
    else await looks;
    const rows = [...this.rows].map(([row, its]) => ({ id: row, title: its }));
    const body = JSON.stringify(one ? rows.find((row) => row.id === one) : rows);
    if (init.method !== 'PATCH') await answers;
    const etag = `"${body.replace(/\W/g, '')}"`;
    const known = new Headers(init.headers).get('if-none-match') === etag;
    this.statuses.push(known ? 304 : 200);
    const headers = { etag, 'cache-control': 'max-age=10', 'content-type': 'application/json' };
    return new Response(known ? null : body, { status: known ? 304 : 200, headers });
  };

  async run(step: Step): Promise<void> {
    const { controller, clock, rows } = this;
    const { get, getList, partialUpdate } = this.#todos;
    if (step.do === 'serve') rows.set(step.id, step.title);
    else if (step.do === 'push') await controller.set(Todo, { id: step.id }, { title: step.title });
    else if (step.do === 'patch')
      await controller.fetch(partialUpdate, { id: step.id }, { title: step.title });
    else if (step.do === 'expire') controller.expireAll({ testKey: () => true });
    else if (step.do === 'pass') clock.advance(step.ms);
    else if (step.do === 'invalidate')
      if (step.asked === 'list') controller.invalidate(getList);
      else controller.invalidate(get, { id: step.asked });
    else await this.#read(step);
  }

  async #read({ asked: what, before, behind }: Extract<Step, { do: 'read' }>): Promise<void> {
    const { controller } = this;
    const { get, getList } = this.#todos;
    const open: (() => void)[] = [];
    this.#gates = [0, 1].map((at) => new Promise((go) => (open[at] = go)));
    const answer =
      what === 'list' ? controller.fetch(getList) : controller.fetch(get, { id: what });
    await settled();
    for (const step of before) await this.run(step);
    open[0]?.();
    await settled();
    for (const step of behind) await this.run(step);
    this.#gates = [];
    open[1]?.();
    await answer;
  }

  /** All data that readers see, and whether a new reader would request the list: rows last as long as the response. */
  get seen(): unknown {
    const { get, getList } = this.#todos;
    const { controller, clock } = this;
    const list = controller.getResponse(getList);
    const rows = ids.map((one) => controller.getResponse(get, { id: one }).data);
    return { list: list.data, rows, fresh: list.expiresAt >= clock.now() };
  }
}

afterEach(() => vi.unstubAllGlobals());

test('[F6] data stored with 304 responses equal data stored with full responses, after any random program', async () => {
  let renewed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(read, read, ofOthers), { maxLength: 20 }), async (steps) => {
      const [plain, http] = [new Side(false), new Side(true)];
      for (const step of steps) {
        for (const side of [plain, http]) {
          vi.stubGlobal('fetch', side.fetch);
          await side.run(step);
        }
        expect(http.seen).toEqual(plain.seen);
      }
      renewed += http.statuses.filter((status) => status === 304).length;
    }),
    runs(0.5),
  );
  // few runs renew few
  expect(renewed).toBeGreaterThan(runs(0.5).numRuns < 150 ? 0 : 20);
});
