/** Posts under slugs that change: a server of them, the requests about them, and what must be shown (N19). */
import { Collection, Entity } from 'signalbox';
import type { World } from '../setup/world.ts';
import type { Shown } from './audience.ts';
import type { Fields } from './confirmed.ts';
import type { Model } from './model.ts';
import type { Letter, Outcome } from './post.ts';
import type { Post as Office } from './post.ts';
import { Renamed } from './renamed.ts';

class Post extends Entity {
  slug = '';
  title = '';
  override pk(): string {
    return this.slug;
  }
}

const SLUGS = ['p1', 'p2', 's1', 's2', 's3', 's4'];
// the first slugs are those of the server
const FIRST_NEW = 2;

/** What it needs of a stage. */
export interface Backstage {
  readonly w: World;
  readonly model: Model;
  readonly post: Office;
  send(letter: Letter): void;
  peek(name: string): unknown;
}

export class Press {
  readonly #stage: Backstage;
  readonly #renamed = new Renamed();
  #rows: readonly Fields[] = [
    { slug: 'p1', title: 'one' },
    { slug: 'p2', title: 'two' },
  ];
  readonly #list;
  readonly #get;
  readonly #change;
  #names = FIRST_NEW;
  #titles = 0;
  #asked = 0;
  #written = 0;

  constructor(stage: Backstage) {
    this.#stage = stage;
    const { w } = stage;
    this.#list = w.read('posts', new Collection([Post]));
    this.#get = w.read('getPost', Post);
    this.#change = w.mutation('change', Post, { method: 'PATCH' } as object);
  }

  get shown(): Shown[] {
    const { controller } = this.#stage.w;
    const renamed = this.#renamed;
    const posts = SLUGS.map((slug) => ({
      name: `post ${slug}`,
      source: controller.signal(this.#get, { slug }),
      wanted: () => renamed.post(slug),
    }));
    const list = controller.signal(this.#list, {});
    return [...posts, { name: 'posts', source: list, wanted: () => renamed.list() }];
  }

  reset(): void {
    this.#renamed.reset();
    this.#asked = this.#written = 0;
  }

  read(): string[] {
    const { w, model, post, peek } = this.#stage;
    const joins = this.#asked > this.#written;
    const sent = w.calls.length;
    const abort = new AbortController();
    const asking = this.#list.extend({ signal: abort.signal });
    const fate = post.follow(w.controller.fetch(asking, {}));
    const joined = w.calls.length === sent;
    if (joined) post.share('posts');
    if (joined) return joins ? [] : ['older request joined: posts'];
    const time = (this.#asked = model.tick());
    const rows = this.#rows;
    const miss = () => void (this.#asked = this.#asked === time ? 0 : this.#asked);
    const take = () => {
      miss();
      this.#renamed.read(rows, time);
      model.tick();
    };
    const outcome = { ...NEVER, value: rows, take, miss, shown: () => peek('posts') };
    this.#stage.send({ call: w.call(), key: 'posts', abort, fate, outcome });
    return joins ? ['one key asked twice: posts'] : [];
  }

  /** Changes the title, the slug, or both, of a post under any of its slugs. */
  change(at: number, what: 'title' | 'slug' | 'both', expects: boolean): string[] {
    const { slugs } = this.#renamed;
    const slug = slugs[at % slugs.length];
    const body = { ...(what !== 'slug' && this.#title()), ...(what !== 'title' && this.#slug()) };
    if (slug === undefined || Object.keys(body).length === 0) return [];
    const { w, model, post, peek } = this.#stage;
    const sent = this.#renamed.slug(slug);
    const abort = new AbortController();
    const { title } = body;
    const shows = expects && title !== undefined;
    const getOptimisticResponse = (_: unknown, params: Fields) => ({ ...params, title });
    const options = { signal: abort.signal, ...(shows && { getOptimisticResponse }) };
    const fate = post.follow(w.controller.fetch(this.#change.extend(options), { slug }, body));
    const issued = model.tick();
    if (shows) this.#renamed.expect({ slug, title, issued });
    const call = w.call();
    const answer = this.#serve(String(sent), body);
    const take = () => {
      const confirmed = (this.#written = model.tick());
      const own = { names: Object.keys(body), issued, confirmed };
      this.#renamed.confirm(slug, answer as Fields, own);
    };
    const miss = () => this.#renamed.drop(issued);
    const shown = () => peek(`post ${String(answer?.['slug'])}`);
    this.#stage.send({
      call,
      abort,
      fate,
      outcome: { ...NEVER, value: answer, take, miss, shown },
    });
    const asked = (call.args[0] as Fields)['slug'];
    return asked === sent ? [] : [`sent to an old key: ${String(asked)}, not ${String(sent)}`];
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

  /** Of a slug that is no more it knows nothing. */
  #serve(slug: string, body: Fields): Fields | undefined {
    const row = this.#rows.find((one) => one['slug'] === slug);
    if (row === undefined) return undefined;
    const changed = { ...row, ...body };
    this.#rows = this.#rows.map((one) => (one === row ? changed : one));
    return changed;
  }
}

const NEVER: Pick<Outcome, 'mayBeEmpty' | 'takeEmpty' | 'stale'> = {
  mayBeEmpty: false,
  takeEmpty: () => {},
  stale: () => false,
};
