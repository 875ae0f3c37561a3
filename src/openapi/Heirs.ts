/** Records that extend a base: the union in the place of a base with a discriminator. */
import type { ApiDocument, Definition } from './ApiDocument.ts';
import { list, text } from './JsonObject.ts';
import { choice } from './Shape.ts';
import type { Discriminator, Shape } from './Shape.ts';
import { byDiscriminator, discriminatorIn } from './byDiscriminator.ts';

/*
 *   Pet: {discriminator}, Cat: {allOf: [{$ref: Pet}, …]}     Pet is a union: Cat and all others that extend Pet
 *   {kind: Pet} in the mapping                               Pet is a kind, too: the record BasePet in the union Pet
 *   Lion: {allOf: [{$ref: Cat}, …]}, a list of Cat           Cat is a union by the discriminator of Pet
 *   only heirs name Cat                                      Cat is among the records of Pet, and has no union
 */
export class Heirs {
  readonly #document: ApiDocument;
  readonly #kinds = new Map<Definition, Discriminator | undefined>();

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  /** The union of all that extend a base; undefined for a schema that is read as a single record. */
  unionOf(base: Definition): Shape | undefined {
    const root = this.#rootOf(base);
    if (root === undefined || !this.#isUnion(base, root)) return undefined;
    const by = this.#kindsOf(root);
    const known: readonly Definition[] = [base, ...this.#heirsOf([base])];
    const all = [...(by?.names ?? [])].filter(([, of]) => root === base || known.includes(of));
    const names = new Map(all.map(([value, of]) => [value, this.#recordOf(of, root)]));
    const records = all.filter(([, of]) => known.includes(of)).map(([value]) => names.get(value));
    const shapes = [...new Set(records)].flatMap((of): Shape[] =>
      of === undefined ? [] : [{ is: 'name', of }],
    );
    const guesses = root === base ? (by?.guesses ?? NONE) : NONE;
    return by && choice(shapes, { ...by, names, guesses });
  }

  /** True for a schema that extends a base with a discriminator. */
  isHeir(of: Definition): boolean {
    return refsIn(of.schema).some((ref) => this.#isTold({ $ref: ref }));
  }

  /** The base with the discriminator: the schema itself, or the first that the parts extend. */
  #rootOf(of: Definition): Definition | undefined {
    if (discriminatorIn(of.schema) !== undefined) return of;
    const ref = refsIn(of.schema).find((each) => this.#isTold({ $ref: each }));
    return ref === undefined ? undefined : this.#rootOf(this.#document.definitionAt(ref));
  }

  /** True if a schema has or inherits a discriminator. */
  #isTold(given: unknown): boolean {
    const schema = this.#document.resolve(given);
    const isOwn = discriminatorIn(schema) !== undefined;
    return isOwn || refsIn(schema).some((ref) => this.#isTold({ $ref: ref }));
  }

  #isUnion(of: Definition, root: Definition): boolean {
    const isListed = list(of.schema, 'oneOf').length + list(of.schema, 'anyOf').length > 0;
    if (isListed || this.#heirsOf([of]).length === 0) return false;
    return of === root || this.#document.isValue(of.schema);
  }

  /** The class of a kind that has heirs: without these. */
  #recordOf(of: Definition, root: Definition): Definition {
    const isUnion = this.#rootOf(of) === root && this.#isUnion(of, root);
    return isUnion ? this.#document.recordOf(of) : of;
  }

  /** The kinds of a base and of all that extend the base. */
  #kindsOf(root: Definition): Discriminator | undefined {
    const known = this.#kinds.get(root);
    if (known !== undefined) return known;
    const heirs = this.#heirsOf([root]);
    const bases = [root, ...heirs].filter((each) => this.#heirsOf([each]).length > 0);
    const by = byDiscriminator(root.schema, heirs, { document: this.#document, bases });
    this.#kinds.set(root, by);
    return by;
  }

  /** The schemas that extend any of these, and further heirs. */
  #heirsOf(bases: readonly Definition[]): readonly Definition[] {
    const heirs = this.#document.definitions.filter((heir) => {
      if (heir.kindOf !== undefined || bases.includes(heir)) return false;
      const extended = refsIn(heir.schema).map((ref) => this.#document.knownAt(ref));
      return extended.some((each) => each !== undefined && bases.includes(each));
    });
    return heirs.length === 0 ? [] : [...heirs, ...this.#heirsOf([...bases, ...heirs])];
  }
}

/** The $refs of the parts of a schema. */
function refsIn(schema: unknown): readonly string[] {
  return list(schema, 'allOf').flatMap((part) => text(part, '$ref') ?? refsIn(part));
}

const NONE: ReadonlySet<string> = new Set();
