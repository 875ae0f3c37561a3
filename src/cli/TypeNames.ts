/** What schemas are called as types, from three sides. */
import type { Definition } from './Document.ts';
import type { Identities } from './Identities.ts';
import { pascal } from './ModuleNames.ts';
import type { ModuleNames } from './ModuleNames.ts';
import type { Reach } from './Reach.ts';
import type { Renames } from './Renames.ts';

/*
 *   read    entities are instances, dates of entities are Dates         Todo
 *   write   without what comes in answers only; dates may be Dates      TodoInput
 *   raw     where no schema can find the entities                       TodoJson
 */
export type TypeSide = 'read' | 'write' | 'raw';

const SUFFIX: Readonly<Record<TypeSide, string>> = { read: '', write: 'Input', raw: 'Json' };

/** What names follow from; what is only ever sent has one side, under its plain name. */
export interface NamingSource {
  readonly identities: Identities;
  readonly reach: Reach;
  readonly names: ModuleNames;
  readonly renames: Renames;
  readonly sent: ReadonlySet<Definition>;
}

export class TypeNames {
  readonly #basis: NamingSource;
  readonly #names = new Map<string, string>();
  /** The schemas that the document calls so, with all or the last part of their name. */
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

  /** The side that has the plain name. */
  #mainView(definition: Definition): TypeSide {
    if (this.#basis.sent.has(definition)) return 'write';
    return this.#basis.reach.isLost(definition) ? 'raw' : 'read';
  }

  /** How a schema with a name is called from one side. Whoever asks makes it be declared. */
  of(given: Definition, asked: TypeSide): string {
    const view = asked === 'read' && this.#basis.reach.isLost(given) ? 'raw' : asked;
    const definition =
      view === 'read' && this.#basis.identities.isForm(given)
        ? this.#basis.identities.forms.mainOf(given)
        : given;
    const own =
      view === this.#mainView(definition) || !this.#basis.reach.differs(definition)
        ? ''
        : SUFFIX[view];
    let id = this.#ids.get(definition);
    if (id === undefined) this.#ids.set(definition, (id = String(this.#ids.size)));
    const key = `${id}${own}`;
    let name = this.#names.get(key);
    if (name === undefined) {
      const main = this.#mainView(definition);
      name = this.#given(definition, own) ?? this.#free(definition, own);
      this.#names.set(key, name);
      this.#asked.set(key, [definition, own === '' ? main : view]);
    }
    return name;
  }

  /** The name that somebody gave to a schema, or to another form of the same record. */
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
    const wanted = isOther
      ? [this.of(definition, this.#mainView(definition))]
      : this.#wanted(definition);
    return names.take(...wanted.map((each) => each + suffix));
  }

  /** True for a type that is another one from each side. */
  isSeparate(definition: Definition): boolean {
    return this.#basis.sent.has(definition) || this.#basis.reach.differs(definition);
  }

  /** What was asked for and is to be declared. */
  get asked(): Iterable<readonly [Definition, TypeSide]> {
    return this.#asked.values();
  }

  /** What a schema is called best: an entity is called as no form of it is more than the others. */
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

  /** The last part of `api.v2010.account.call`, if no other name ends so. */
  #short(name: string): string {
    const last = pascal(name.split('.').at(-1) ?? name);
    return name.includes('.') && this.#defined.get(last)?.length === 1 ? last : pascal(name);
  }
}

/** The name of a form without the word that says how much of its record it is. */
function unsized(name: string): string {
  const short = name.replace(SIZED, '');
  return short === '' ? name : short;
}

const SIZED =
  /^(?:Nullable|Simple|Minimal|Mini|Full|Base|Basic|Public|Private|Short|Extended|Complete|Detailed)+(?=\p{Lu})|(?:Simple|Minimal|Full|Base|Basic|Summary|Short|Extended|Details?)+$/gu;
