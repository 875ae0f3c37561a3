/** A server of a shop. Responses have more than the sent fields: the category of a product, the whole cart. */
import { OrderedServer } from './SlowServer.ts';
import type { WaitingRequest } from './SlowServer.ts';

interface Product {
  readonly id: number;
  name: string;
  categoryId: number;
  favorite: boolean;
}

interface Line {
  readonly id: number;
  readonly productId: number;
  quantity: number;
}

/** The fields of all bodies. */
export interface Sent extends Product, Line {
  readonly ids: readonly number[];
}

export class ShopServer extends OrderedServer<Sent> {
  readonly #categories = new Map([1, 2].map((id) => [id, { id, name: `category ${id}` }]));
  readonly #products = new Map<number, Product>();
  readonly #lines = new Map<number, Line>();
  #lastId = 0;

  constructor() {
    super();
    for (const at of [0, 1, 2, 3])
      this.#insert({ name: 'old', categoryId: 1 + (at % 2), favorite: at < 2 });
  }

  protected respondTo({ method, url, body }: WaitingRequest<Sent>): Response {
    const value = this.respond(method, url, body);
    return Response.json(value ?? { message: 'not found' }, { status: value ? 200 : 404 });
  }

  /** The response to a request; undefined: not found. */
  respond(method: string, { pathname, searchParams }: URL, body: Partial<Sent> = {}): unknown {
    const [, first, second, third] = pathname.split('/');
    if (first === 'cart') return this.#respondFromCart(method, Number(third), body);
    if (first === 'categories') return this.#rename(Number(second), body);
    if (second === 'bulk') return body.ids?.flatMap((id) => this.#change(id, body) ?? []);
    if (second !== undefined)
      return method === 'GET' ? this.#present(Number(second)) : this.#change(Number(second), body);
    return method === 'GET' ? this.#list(searchParams) : this.#present(this.#insert(body));
  }

  #respondFromCart(
    method: string,
    id: number,
    { productId, quantity = 1 }: Partial<Sent>,
  ): unknown {
    const line = this.#lines.get(id);
    if (method === 'DELETE') this.#lines.delete(id);
    else if (line !== undefined) line.quantity = quantity;
    else if (productId !== undefined) {
      const added = ++this.#lastId;
      this.#lines.set(added, { id: added, productId, quantity });
    }
    const lines = [...this.#lines.values()];
    return {
      id: 'mine',
      lines: lines.map((each) => ({
        id: each.id,
        quantity: each.quantity,
        product: this.#present(each.productId),
      })),
      total: lines.reduce((sum, each) => sum + each.quantity, 0),
    };
  }

  #rename(id: number, { name }: Partial<Sent>): unknown {
    const category = this.#categories.get(id);
    if (category !== undefined && name !== undefined) category.name = name;
    return category;
  }

  #insert({ name = '', categoryId = 1, favorite = false }: Partial<Sent>): number {
    const id = ++this.#lastId;
    this.#products.set(id, { id, name, categoryId, favorite });
    return id;
  }

  #change(id: number, { ids: _ids, ...fields }: Partial<Sent>): unknown {
    const product = this.#products.get(id);
    if (product !== undefined) Object.assign(product, fields, { id });
    return this.#present(id);
  }

  #present(id: number): unknown {
    const product = this.#products.get(id);
    return product && { ...product, category: this.#categories.get(product.categoryId) };
  }

  #list(params: URLSearchParams): unknown {
    const items = [...this.#products.values()]
      .filter((product) =>
        [...params].every(([name, value]) => String(product[name as keyof Product]) === value),
      )
      .map(({ id }) => this.#present(id));
    return { items: items.reverse(), total: items.length };
  }
}
