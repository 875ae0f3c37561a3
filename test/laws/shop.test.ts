/** Random clicks in a shop with a slow, refusing, reordering server: reads overlap mutations. */
import * as fc from 'fast-check';
import { Collection, Controller, createResource, Entity, optimistic } from 'signalbox';
import type { EndpointInterface, RestEndpoint } from 'signalbox';
import { expect, test } from 'vitest';
import { settled, StoppedClock } from '../setup/world.ts';
import { runs } from './runs.ts';
import { endpointClassOf } from './SlowServer.ts';
import { ShopServer } from './shopServer.ts';

class Category extends Entity {
  id = 0;
  name = '';
}
class Product extends Entity {
  id = 0;
  name = '';
  categoryId = 0;
  favorite = false;
  category: Category | null = null;
  static override schema = { category: Category };
}
class Line extends Entity {
  id = 0;
  quantity = 0;
  product: Product | null = null;
  static override schema = { product: Product };
}
class Cart extends Entity {
  id = '';
  lines: Line[] = [];
  total = 0;
  static override schema = { lines: new Collection([Line]) };
}

const CLICKS = {
  create: 2,
  edit: 4,
  'edit several': 2,
  'rename a category': 2,
  'add to the cart': 3,
  'change the cart': 2,
  'take from the cart': 2,
  read: 4,
  refuse: 1,
  answer: 16,
};

type Verb = keyof typeof CLICKS;

const click = fc.record({
  do: fc.oneof(
    ...Object.entries(CLICKS).map(([verb, weight]) => ({
      weight,
      arbitrary: fc.constant(verb as Verb),
    })),
  ),
  at: fc.nat(1_000),
  fields: fc.record(
    {
      name: fc.constantFrom('a', 'b', 'c'),
      categoryId: fc.constantFrom(1, 2),
      favorite: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
});

type Click = typeof click extends fc.Arbitrary<infer C> ? C : never;
type Params = Readonly<Record<string, unknown>>;

const fields: Params = {};

function endpointsOf(server: ShopServer, isOptimistic: boolean) {
  const Slow = endpointClassOf(server);
  const common = { optimistic: isOptimistic, Endpoint: Slow };
  const items = new Collection([Product]);
  const products = createResource({
    ...common,
    path: '/products/:id',
    schema: Product,
    searchParams: fields,
  });
  const getCart = new Slow({ path: '/cart', schema: Cart });
  const lines = createResource({ ...common, path: '/cart/lines/:id', schema: Line });
  return {
    get: products.get,
    getList: products.getList.extend({ schema: { items, total: 0 } }),
    create: products.create.extend({ schema: items.unshift }),
    edit: products.partialUpdate,
    editSeveral: new Slow({
      path: '/products/bulk',
      method: 'POST',
      schema: [Product],
      body: fields,
    }),
    rename: createResource({ ...common, path: '/categories/:id', schema: Category }).partialUpdate,
    getCart,
    addLine: new Slow({ path: '/cart/lines', method: 'POST', schema: Cart, body: fields }),
    changeLine: lines.partialUpdate.extend({ schema: Cart, getOptimisticResponse: undefined }),
    takeLine: lines.delete.extend({ schema: Cart, getOptimisticResponse: undefined }),
  };
}

class Shop {
  readonly #server = new ShopServer();
  readonly #controller = new Controller({
    optimistic,
    clock: new StoppedClock(),
    retry: 0,
    sweepAfter: Infinity,
  });
  readonly #api: ReturnType<typeof endpointsOf>;
  readonly #mounted: readonly (readonly [EndpointInterface, Params])[];

  constructor(isOptimistic: boolean) {
    const api = (this.#api = endpointsOf(this.#server, isOptimistic));
    this.#mounted = [
      [api.getList, {}],
      [api.getList, { categoryId: 1 }],
      [api.getList, { favorite: true, categoryId: 2 }],
      [api.get, { id: 1 }],
      [api.getCart, {}],
    ];
  }

  /** Returns the differences when nothing is in flight any more. */
  async play(clicks: readonly Click[]): Promise<string[]> {
    const releases = this.#mounted.map(([endpoint, params]) => {
      const view = this.#controller.view(endpoint, params);
      const release = view.retain();
      view.revalidate();
      return release;
    });
    await this.#rest();
    for (const one of clicks) {
      this.#act(one);
      await settled();
    }
    await this.#rest();
    const faults = this.#mounted.flatMap((read) => this.#differenceOf(...read));
    for (const release of releases) release();
    return faults;
  }

  /** Until all requests are answered, and all bodies are read, which may take several tasks. */
  async #rest(): Promise<void> {
    for (let left = 2_000, idle = 0; idle < 10; left--) {
      if (left === 0) throw new Error('requests without end');
      idle = this.#server.waiting.length > 0 ? 0 : idle + 1;
      if (idle === 0) this.#server.advance(0);
      await settled();
    }
  }

  #act({ do: verb, at, fields }: Click): void {
    const api = this.#api;
    const { waiting } = this.#server;
    const product = { id: 1 + (at % 4) };
    const [line] = this.#controller.getResponse(api.getCart).data?.lines ?? [];
    const actions: Record<Verb, () => Promise<unknown> | void> = {
      create: () => this.#controller.fetch(api.create, {}, fields),
      edit: () => this.#controller.fetch(api.edit, product, fields),
      'edit several': () => this.#controller.fetch(api.editSeveral, { ids: [1, 2, 3], ...fields }),
      'rename a category': () =>
        this.#controller.fetch(api.rename, { id: 1 + (at % 2) }, { name: `c${at}` }),
      'add to the cart': () => this.#controller.fetch(api.addLine, { productId: product.id }),
      'change the cart': () =>
        line && this.#controller.fetch(api.changeLine, { id: line.id }, { quantity: at }),
      'take from the cart': () => line && this.#controller.fetch(api.takeLine, { id: line.id }),
      read: () => this.#controller.fetch(...this.#mounted[at % this.#mounted.length]!),
      refuse: () => void (this.#server.refuses = true),
      answer: () => {
        if (waiting.length > 0) this.#server.advance(at % waiting.length);
      },
    };
    actions[verb]()?.catch(() => {});
  }

  #differenceOf(endpoint: EndpointInterface, params: Params): string[] {
    const { data } = this.#controller.getResponse(endpoint, params);
    const url = new URL((endpoint as RestEndpoint).url(params), 'http://h');
    const shown = textOf(data);
    const expected = textOf(this.#server.respond('GET', url));
    return shown === expected ? [] : [`${endpoint.name}: ${shown} instead of ${expected}`];
  }
}

/** With sorted members and rows: the order of a list is not compared. */
function textOf(value: unknown): string {
  const sorted = (_: string, each: unknown): unknown => {
    if (Array.isArray(each)) return [...each].sort((a: Product, b: Product) => a.id - b.id);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => a.localeCompare(b)));
  };
  return JSON.stringify(value, sorted);
}

test('[O15] after random clicks in a shop every mounted reader equals the server', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(click, { maxLength: 40, size: 'max' }),
      fc.boolean(),
      async (clicks, isOptimistic) => {
        expect(await new Shop(isOptimistic).play(clicks)).toEqual([]);
      },
    ),
    runs(0.5),
  );
}, 600_000);
