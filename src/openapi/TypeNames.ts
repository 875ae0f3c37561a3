/** The type names of schemas, for three sides. */
import type { Definition } from './ApiDocument.ts';
import type { Identities } from './Identities.ts';
import { pascal } from './ModuleNames.ts';
import type { ModuleNames } from './ModuleNames.ts';
import type { SchemaAnalysis } from './Schemas.ts';
import type { Renames } from './Renames.ts';

/*
 *   read    entities are instances, dates of entities are Dates         Todo
 *   write   without members of responses only; dates may be Dates       TodoInput
 *   raw     if no schema can find the entities                          TodoJson
 */
export type TypeSide = 'read' | 'write' | 'raw';

const SUFFIX: Readonly<Record<TypeSide, string>> = { read: '', write: 'Input', raw: 'Json' };

/** The input of naming. A schema that is only sent has a single side, under the plain name. */
export interface NamingSource {
  readonly identities: Identities;
  readonly reach: SchemaAnalysis;
  readonly names: ModuleNames;
  readonly renames: Renames;
  readonly sent: ReadonlySet<Definition>;
}

export class TypeNames {
  readonly #basis: NamingSource;
  readonly #names = new Map<string, string>();
  /** The schemas with this name in the document, by the complete name or the last part. */
  readonly #defined = new Map<string, Definition[]>();
  readonly #ids = new Map<Definition, string>();
  readonly #asked = new Map<string, readonly [Definition, TypeSide]>();

  constructor(basis: NamingSource, definitions: readonly Definition[]) {
    this.#basis = basis;
    for (const each of definitions) {
      if (each.inline) continue;
      const ends = new Set([pascal(each.name), pascal(each.name.split('.').at(-1) ?? '')]);
      for (const name of ends) this.#defined.set(name, [...(this.#defined.get(name) ?? []), each]);
    }
    const named = definitions.filter(
      (each) => !this.#basis.identities.isForm(each) && !this.#basis.identities.isInPlace(each),
    );
    for (const each of named) this.of(each, this.#mainView(each));
  }

  /** The side with the plain name. */
  #mainView(definition: Definition): TypeSide {
    if (this.#basis.sent.has(definition)) return 'write';
    return this.#basis.reach.isLost(definition) ? 'raw' : 'read';
  }

  /** A type that no schema reads is JSON; JSON without records is the same as read. */
  #viewOf(of: Definition, side: TypeSide): TypeSide {
    const { reach } = this.#basis;
    if (side === 'read') return reach.isLost(of) ? 'raw' : side;
    return side === 'raw' && !reach.holds(of) ? 'read' : side;
  }

  /** The type name of a schema for a side. Each requested name is declared. */
  of(given: Definition, side: TypeSide): string {
    const view = this.#viewOf(given, side);
    const definition =
      view === 'read' && this.#basis.identities.isForm(given)
        ? this.#basis.identities.forms.mainOf(given)
        : given;
    const suffix =
      view === this.#mainView(definition) || !this.#basis.reach.differs(definition)
        ? ''
        : SUFFIX[view];
    let id = this.#ids.get(definition);
    if (id === undefined) this.#ids.set(definition, (id = String(this.#ids.size)));
    const key = `${id}${suffix}`;
    let name = this.#names.get(key);
    if (name === undefined) {
      const main = this.#mainView(definition);
      name = this.#given(definition, suffix) ?? this.#free(definition, suffix);
      this.#names.set(key, name);
      this.#asked.set(key, [definition, suffix === '' ? main : view]);
    }
    return name;
  }

  /** The user's name for a schema, or for another form of the same record. */
  #given(definition: Definition, suffix: string): string | undefined {
    const { identities, renames } = this.#basis;
    const isEntity = identities.of(definition) !== undefined && suffix === '';
    const forms = isEntity ? identities.forms.of(definition) : [definition];
    const names = forms.flatMap((each) => renames.of('schemas', each.name) ?? []);
    return names[0] === undefined ? undefined : names[0] + suffix;
  }

  #free(definition: Definition, suffix: string): string {
    const { identities, names } = this.#basis;
    const isOther = suffix !== '' && !identities.isForm(definition);
    const candidates = isOther
      ? [this.of(definition, this.#mainView(definition))]
      : this.#wanted(definition);
    return names.take(...candidates.map((each) => each + suffix));
  }

  /** True if the type differs between the sides. */
  isSeparate(definition: Definition): boolean {
    return this.#basis.sent.has(definition) || this.#basis.reach.differs(definition);
  }

  /** The requested names, which must be declared. */
  get asked(): Iterable<readonly [Definition, TypeSide]> {
    return this.#asked.values();
  }

  /** Candidate names, best first: of an entity, first without words for size, unless other schemas have that name. */
  #wanted(definition: Definition): string[] {
    const { identities } = this.#basis;
    const own = definition.names.map((name) => this.#short(name));
    if (identities.of(definition) === undefined) return own;
    const forms = identities.forms.of(definition);
    const sizeless = unsized(own[0] as string);
    const isFree = (name: string) =>
      (this.#defined.get(name) ?? []).every((each) => forms.includes(each));
    return isFree(sizeless) ? [sizeless, ...own] : own;
  }

  /** The last part of `api.v2010.account.call`, if no other name ends the same. */
  #short(name: string): string {
    const last = pascal(name.split('.').at(-1) ?? name);
    return name.includes('.') && this.#defined.get(last)?.length === 1 ? last : pascal(name);
  }
}

/** The name of a form without the word for the size. */
function unsized(name: string): string {
  const short = name.replace(SIZED, '');
  return short === '' ? name : short;
}

const SIZED =
  /^(?:Nullable|Simple|Minimal|Mini|Full|Base|Basic|Public|Private|Short|Extended|Complete|Detailed)+(?=\p{Lu})|(?:Simple|Minimal|Full|Base|Basic|Summary|Short|Compact|Brief|Extended|Response|Details?)+$/gu;
