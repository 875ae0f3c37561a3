/** One of several schemas, told apart by what the value says. */
import { warn } from '../diagnostics.ts';
import { kindOf } from './kindOf.ts';
import { carried, carry, Ref } from './schema.ts';
import type {
  Args,
  Denormalized,
  Fields,
  Kind,
  Node,
  Schema,
  Source,
  StoredKind,
  Walk,
} from './schema.ts';

/** The attribute that names the schema of a value, or a function of the value that does. */
// any: a function of the user's own record types must fit
export type Choice = string | ((value: any, parent?: any, key?: string) => string);

/**
 * `new Union({post: Post, link: Link}, 'type')`. A value that no schema fits keeps its raw form, with a warning (S11).
 * The primary key of a member alone does not say whose it is: `{id: '7', schema: 'post'}` does.
 */
export class Union<S extends Readonly<Record<string, Schema>>> implements Kind<
  Denormalized<S[keyof S]>
> {
  declare readonly denormalized?: Denormalized<S[keyof S]>;
  readonly needed = true;
  readonly schema: S;
  readonly #choice: Choice;

  constructor(schema: S, choice: Choice) {
    this.schema = schema;
    this.#choice = choice;
  }

  get title(): string {
    return Object.keys(this.schema)
      .map((name) => this.#named(name)?.title)
      .join(' | ');
  }

  inner(): readonly Kind[] {
    return Object.keys(this.schema).map((name) => this.#named(name) as Kind);
  }

  #named(name: string): Kind | undefined {
    if (!Object.hasOwn(this.schema, name)) return undefined;
    return kindOf(this.schema[name], 'Union', name);
  }

  #choose(value: unknown, parent: unknown, key: string): Kind | undefined {
    if (value === null || typeof value !== 'object') return undefined;
    const choice = this.#choice;
    const name: unknown =
      typeof choice === 'function' ? choice(value, parent, key) : (value as Fields)[choice];
    return this.#named(String(name));
  }

  target(value: unknown): StoredKind | undefined {
    return this.#choose(value, undefined, '')?.target?.(value);
  }

  normalize(input: unknown, parent: unknown, key: string, walk: Walk): Node {
    if (input === null || input === undefined) return input;
    if (walk.keyed) {
      const { id, schema } = input as Fields;
      const named = this.#named(String(schema));
      if (named !== undefined) return named.normalize(id, parent, key, walk);
    }
    const kind = this.#choose(input, parent, key);
    if (kind !== undefined) return kind.normalize(input, parent, key, walk);
    warn('S11', this.title, { union: this.title, value: input });
    return carry(input);
  }

  denormalize(node: Node, source: Source): unknown {
    if (!(node instanceof Ref)) return carried(node);
    if (source.kindOf === undefined) return source.value(node);
    const { table } = source.kindOf(node);
    const isOf = (kind: Kind): boolean =>
      'table' in kind ? kind.table === table : (kind.inner?.() ?? []).some(isOf);
    const schema = Object.keys(this.schema).find((name) => isOf(this.#named(name) as Kind)) ?? '';
    return { id: this.#named(schema)?.denormalize(node, source), schema };
  }

  infer(args: Args, source: Source): Node | undefined {
    return this.#choose(args[0], undefined, '')?.infer?.(args, source);
  }

  empty(): unknown {
    return undefined;
  }
}
