/** Paths as this library writes them, and what their params are called. */
import type { Definition } from './Document.ts';
import { trailing } from './Identities.ts';
import type { Identities } from './Identities.ts';
import { camel, plain, singular } from './Names.ts';
import type { Operation } from './Operation.ts';
import type { ResourcePlan } from './Plan.ts';
import { begins } from './Plan.ts';

type Segments = Operation['segments'];

/** Whose rows a path lists; their key must not be the name of a param, which says which list it is. */
export type RowsOf = (segments: Segments) => Definition | undefined;

export class Address {
  readonly #identities: Identities;
  readonly rowsOf: RowsOf;

  constructor(identities: Identities, rowsOf: RowsOf) {
    this.#identities = identities;
    this.rowsOf = rowsOf;
  }

  /** `/users/{userId}/posts/{postId}` as `/users/:userId/posts/:id`; params of the resource's own record bear its key's name. */
  template(segments: Segments, owner?: ResourcePlan, query: readonly string[] = []): string {
    const names = this.#names(segments, owner, query);
    let at = 0;
    return segments
      .map((segment) => {
        let text = '/';
        for (const step of segment) {
          if ('param' in step) text += `:${names[at++]}`;
          else text += escaped(step.text, text.length > 1);
        }
        return text;
      })
      .join('');
  }

  #names(segments: Segments, owner: ResourcePlan | undefined, query: readonly string[]): string[] {
    const own = this.#keysOf(segments, owner);
    const rows = this.rowsOf(segments);
    const banned = new Set(rows === undefined ? [] : this.#fieldsOf(rows));
    const taken = new Set([...own.values(), ...query]);
    const names: string[] = [];
    for (const [at, segment] of segments.entries()) {
      for (const step of segment) {
        if (!('param' in step)) continue;
        const key = own.get(at);
        const said = isName(step.param) ? step.param : nameOf(step.param);
        const name =
          key ?? free(said, aboveOf(segments, at), (each) => !taken.has(each) && !banned.has(each));
        taken.add(name);
        names.push(name);
      }
    }
    return names;
  }

  /** The names of the params that identify a record of the resource, by their place in the path. */
  #keysOf(segments: Segments, owner: ResourcePlan | undefined): ReadonlyMap<number, string> {
    const keys = new Map<number, string>();
    const one = owner?.segments.filter((segment) => segment.length > 0) ?? [];
    if (owner === undefined || !begins(segments, one)) return keys;
    // a list under a record is found by whose it is
    if (this.rowsOf(segments) !== undefined) return keys;
    const params = trailing(owner.segments);
    const fields = this.#fieldsOf(owner.of).slice(-params.length);
    for (const [at, field] of fields.entries()) {
      const place = one.length - fields.length + at;
      const param = params[params.length - fields.length + at] as string;
      if (isName(field) && this.#means(owner.of, param, field)) keys.set(place, field);
    }
    return keys;
  }

  /** False for a param that is another member of the record: `/users/by-name/{username}`. */
  #means(of: Definition, param: string, field: string): boolean {
    if (plain(param) === plain(field)) return true;
    const [entity] = this.#identities.entitiesOf(of);
    const others = entity === undefined ? [] : this.#identities.scalarsOf(entity);
    return !others.some((each) => plain(each) === plain(param));
  }

  #fieldsOf(of: Definition): readonly string[] {
    const [entity] = this.#identities.entitiesOf(of);
    return entity === undefined ? [] : (this.#identities.of(entity)?.fields ?? []);
  }
}

/** What the library reads as the name of a param. */
const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text);

function nameOf(text: string): string {
  const name = camel(text, 'param');
  return isName(name) ? name : 'param';
}

/** `users` before a param gives `userId`. */
function aboveOf(segments: Segments, at: number): string {
  const step = segments[at - 1]?.[0];
  return step !== undefined && 'text' in step ? nameOf(`${singular(step.text)} id`) : 'parentId';
}

function free(said: string, above: string, fits: (name: string) => boolean): string {
  if (fits(said)) return said;
  let name = above;
  for (let next = 2; !fits(name); next++) name = `${above}${next}`;
  return name;
}

/** Signs that mean something in a path are escaped, and what would go on with the name of a param. */
function escaped(text: string, afterParam: boolean): string {
  const signs = text.replace(/[:*{}?\\()]/g, '\\$&');
  return afterParam ? signs.replace(/^[\w$]/, '\\$&') : signs;
}
