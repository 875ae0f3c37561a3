// Random lives of mutations: networks that come and go, answers that are lost, pages that die, servers that refuse.
import * as fc from 'fast-check';
import { All, Controller, Endpoint, Entity } from 'signalbox';
import { offline } from 'signalbox/offline';
import { expect, test, vi } from 'vitest';
import { runs } from '../laws/runs.ts';
import { Page, refusal, settled, StoppedClock } from '../setup/world.ts';
import { sharedLocks, turns, until } from './OfflineServer.ts';

class Row extends Entity {
  id = '';
  marks: number[] = [];
}

/** The outcome of an attempt in flight. */
const fates = [
  'well',
  'refused',
  'lost before',
  'lost after',
  'busy',
  'slow',
  'logged out',
] as const;
type Fate = (typeof fates)[number];

/** Stores each mark once: a known key gets the first response again. */
class Server {
  readonly rows = new Map<string, number[]>();
  readonly made: number[] = [];
  readonly refused = new Set<number>();
  fates: Fate[] = [];
  readonly #answers = new Map<string, () => unknown>();

  async ask(key: string | undefined, id: string | undefined, mark: number): Promise<unknown> {
    if (key === undefined) throw refusal(400);
    const fate = this.fates.shift();
    if (fate === 'slow') await settled();
    if (fate === 'lost before') throw refusal();
    if (fate === 'busy') throw refusal(503);
    if (fate === 'logged out') throw refusal(401);
    const answer = this.#answers.get(key) ?? this.#act(id, mark, fate === 'refused');
    this.#answers.set(key, answer);
    if (fate === 'lost after') throw refusal();
    return answer();
  }

  #act(id: string | undefined, mark: number, refuses: boolean): () => unknown {
    if (refuses) {
      this.refused.add(mark);
      return () => {
        throw refusal(422);
      };
    }
    if (id === undefined) this.made.push(mark);
    const own = id ?? `made-${mark}`;
    const marks = [...(this.rows.get(own) ?? []), mark];
    this.rows.set(own, marks);
    return () => ({ id: own, marks });
  }
}

/** The body of the request. */
interface Body {
  readonly mark: number;
}

/** `this` of the function of an endpoint. */
interface Sent {
  readonly idempotencyKey?: string;
}

let databases = 0;

const swap = async (bytes: Uint8Array) => {
  await settled();
  return bytes.map((byte) => byte ^ 7);
};

/** Every other log has an owner, and a slow transform. */
const secrets = [{}, { owner: 'ada', transform: { encode: swap, decode: swap } }];

/** Two pages with a shared disk and server. */
class Life {
  readonly server: Server = new Server();
  readonly clock: StoppedClock = new StoppedClock();
  readonly #shared = {
    locks: sharedLocks(),
    name: `life-${++databases}`,
    ...secrets[databases % 2],
  };
  /** For each mark: the row of the mutation, the mark of the creation of this row, or undefined for a creation. */
  readonly issued: (string | number | undefined)[] = [];
  readonly #endpoints = endpointsOf(this.server);
  readonly pages = [this.#open(), this.#open()];

  #open() {
    const page = new Page();
    const options = { clock: this.clock, surroundings: page, sweepAfter: Infinity };
    const controller = new Controller(options);
    const queue = offline(controller, { names: this.#endpoints, ...this.#shared });
    return { page, controller, queue };
  }

  async #issue(at: number, target: string | number | undefined, id?: string): Promise<void> {
    const { controller, queue } = this.#page(at);
    const mark = this.issued.push(target) - 1;
    const { write, make } = this.#endpoints;
    const sent =
      id === undefined
        ? controller.fetch(make, { mark })
        : controller.fetch(write, { id }, { mark });
    let over = false;
    sent.catch(() => {}).finally(() => (over = true));
    // a mutation in the log must not be lost
    await until(
      () => over || queue.pending.value.some(({ args }) => (args.at(-1) as Body).mark === mark),
    );
  }

  #page(at: number) {
    return this.pages[at] as (typeof this.pages)[number];
  }

  readonly steps = {
    write: (at: number, number: number) => {
      const id = `row-${number % 2}`;
      return this.#issue(at, id, id);
    },
    make: (at: number) => this.#issue(at, undefined),
    change: async (at: number) => {
      const rows = this.#page(at).controller.get(new All(Row)) ?? [];
      const row = rows.find(({ id }) => id.startsWith('temporary'));
      if (row !== undefined) await this.#issue(at, row.marks[0], row.id);
    },
    leave: (at: number) => void (this.#page(at).page.offline = true),
    back: (at: number) => this.#page(at).page.comeBack('reconnect'),
    crash: async (at: number) => {
      this.#page(at).queue.stop();
      const next = (this.pages[at] = this.#open());
      // sometimes the program continues before the log was read
      if (this.issued.length % 2 === 0) await next.queue.ready;
    },
    pass: async (_: number, turns: number) => {
      this.clock.advance(turns * 500);
      for (let turn = 0; turn < turns; turn++) await settled();
    },
  };

  /** With a good network at last; returns the mutations that still wait. */
  async end(): Promise<readonly unknown[]> {
    this.server.fates = [];
    for (const { page } of this.pages) page.comeBack('reconnect');
    const waits = () => this.pages.some(({ queue }) => queue.pending.value.length > 0);
    await Promise.all(this.pages.map(({ queue }) => queue.ready));
    await until(() => (this.clock.advance(1_000), !waits()));
    // a response is rendered first, and then the log removes the mutation
    await turns(100);
    for (const { queue } of this.pages) queue.stop();
    const last = this.#open();
    await last.queue.ready;
    last.queue.stop();
    return last.queue.pending.value;
  }
}

function endpointsOf(server: Server) {
  const write = new Endpoint(
    function (this: Sent, { id }: { id: string }, { mark }: Body) {
      return server.ask(this.idempotencyKey, id, mark);
    },
    { name: 'write', sideEffect: true, schema: Row },
  );
  const make = new Endpoint(
    function (this: Sent, { mark }: Body) {
      return server.ask(this.idempotencyKey, undefined, mark);
    },
    {
      name: 'make',
      sideEffect: true,
      schema: Row,
      getOptimisticResponse: (_: unknown, { mark }: Body) => ({ marks: [mark] }),
    },
  );
  return { write, make };
}

/** The expected marks on the server: each mark that was not rejected, once, in the order of issue. */
function expected({ issued, server }: Life) {
  const rows = new Map<string, number[]>();
  const gone = new Set(server.refused);
  for (const [mark, target] of issued.entries()) {
    if (typeof target === 'number' && gone.has(target)) gone.add(mark);
    if (gone.has(mark)) continue;
    const id = typeof target === 'string' ? target : `made-${target ?? mark}`;
    rows.set(id, [...(rows.get(id) ?? []), mark]);
  }
  return {
    rows: sorted(rows),
    made: issued.flatMap((of, mark) => (of === undefined && !gone.has(mark) ? mark : [])),
  };
}

const sorted = (rows: Map<string, number[]>) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

const names = ['write', 'make', 'change', 'leave', 'back', 'crash', 'pass'] as const;
const step = fc.tuple(
  fc.constantFrom(...names),
  fc.integer({ min: 0, max: 1 }),
  fc.integer({ min: 0, max: 6 }),
);

test('[P2] after any failures and reloads each accepted mutation is applied once, in order', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const programs = fc.array(step, { minLength: 5, maxLength: 40 });
  const roads = fc.array(fc.constantFrom(...fates), { maxLength: 40 });
  const law = fc.asyncProperty(programs, roads, async (program, road) => {
    const life = new Life();
    life.server.fates = [...road];
    for (const [name, at, number] of program) await life.steps[name](at, number);
    expect(await life.end()).toEqual([]);
    const { rows, made } = life.server;
    expect({ rows: sorted(rows), made }).toEqual(expected(life));
  });
  await fc.assert(law, runs(0.2));
});
