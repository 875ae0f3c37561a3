/** Posts under slugs that change: a server of posts, the requests, and the expected values (N19). */
import { Collection, Entity } from 'signalbox';
import type { Shown } from './storeReaders.ts';
import type { Fields } from './confirmed.ts';
import { Renamed } from './renamed.ts';
import { FeatureModel } from './FeatureModel.ts';

class Post extends Entity {
  slug = '';
  title = '';
  override pk(): string {
    return this.slug;
  }
}

const SLUGS = ['p1', 'p2', 's1', 's2', 's3', 's4'];
// the first slugs are given by the server
const FIRST_NEW = 2;

export class ChangingKeys extends FeatureModel {
  readonly #renamed = new Renamed();
  readonly #list = this.simulation.w.read('posts', new Collection([Post]));
  readonly #get = this.simulation.w.read('getPost', Post);
  readonly #change = this.simulation.w.mutation('change', Post, { method: 'PATCH' } as object);
  #rows: readonly Fields[] = [
    { slug: 'p1', title: 'one' },
    { slug: 'p2', title: 'two' },
  ];
  #names = FIRST_NEW;
  #titles = 0;

  override get shown(): Shown[] {
    const { controller } = this.simulation.w;
    const renamed = this.#renamed;
    const posts = SLUGS.map((slug) => ({
      name: `post ${slug}`,
      source: controller.signal(this.#get, { slug }),
      wanted: () => renamed.post(slug),
    }));
    const list = controller.signal(this.#list, {});
    return [...posts, { name: 'posts', source: list, wanted: () => renamed.list() }];
  }

  override reset(): void {
    super.reset();
    this.#renamed.reset();
  }

  read(): string[] {
    const rows = this.#rows;
    const take = (at: number) => this.#renamed.read(rows, at);
    return this.ask(this.#list, { value: rows, take, shown: () => this.simulation.peek('posts') });
  }

  /** Changes the title, the slug, or both, of a post under any known slug. */
  change(at: number, what: 'title' | 'slug' | 'both', expects: boolean): string[] {
    const { slugs } = this.#renamed;
    const slug = slugs[at % slugs.length];
    const body = { ...(what !== 'slug' && this.#title()), ...(what !== 'title' && this.#slug()) };
    if (slug === undefined || Object.keys(body).length === 0) return [];
    const due = this.#renamed.slug(slug);
    const { title } = body;
    const shows = expects && title !== undefined;
    const getOptimisticResponse = (_: unknown, params: Fields) => ({ ...params, title });
    const endpoint = this.#change.extend(shows ? { getOptimisticResponse } : {});
    let sent: unknown;
    const issued = this.tell(endpoint, [{ slug }, body], ([params]) => {
      sent = (params as Fields)['slug'];
      return this.#ends(slug, String(sent), body);
    });
    if (shows) this.#renamed.expect({ slug, title, issued });
    return sent === due ? [] : [`sent to an old key: ${String(sent)}, not ${String(due)}`];
  }

  #ends(slug: string, sent: string, body: Fields) {
    const answer = this.#serve(sent, body);
    return {
      value: answer,
      take: (issued: number) => {
        const own = { names: Object.keys(body), issued, confirmed: this.confirmed };
        this.#renamed.confirm(slug, answer as Fields, own);
      },
      miss: (issued: number) => this.#renamed.drop(issued),
      shown: () => this.simulation.peek(`post ${String(answer?.['slug'])}`),
    };
  }

  #title(): { title: string } {
    return { title: `t${++this.#titles}` };
  }

  #slug(): { slug?: string } {
    const slug = SLUGS[this.#names];
    if (slug === undefined) return {};
    this.#names++;
    return { slug };
  }

  /** Returns undefined for a slug that no longer exists. */
  #serve(slug: string, body: Fields): Fields | undefined {
    const row = this.#rows.find((one) => one['slug'] === slug);
    if (row === undefined) return undefined;
    const changed = { ...row, ...body };
    this.#rows = this.#rows.map((one) => (one === row ? changed : one));
    return changed;
  }
}
