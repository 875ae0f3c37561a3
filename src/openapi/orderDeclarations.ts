/** Orders entities and unions so that each is declared before use. */
import { docComment, lay } from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { Definition } from './ApiDocument.ts';
import { printEntity } from './printEntity.ts';
import type { EntityText } from './printEntity.ts';
import type { Writers } from './Schemas.ts';
import { docOf, childShapes, withoutNull } from './Shape.ts';
import type { Shape } from './Shape.ts';

/*
 *   class after the nested classes    static override schema = {…}
 *   class that is nested in itself     the same
 *   classes that nest each other       Team.schema = {…} after both
 *   union                              after the classes
 */

/** The declarations of all entities and of the unions that have a name. */
export function orderDeclarations(definitions: readonly Definition[], writers: Writers): string[] {
  return new Ordering(writers).texts(definitions);
}

class Ordering {
  readonly #writers: Writers;
  readonly #texts: string[] = [];
  readonly #late: string[] = [];
  readonly #begun = new Set<Definition>();
  readonly #done = new Set<Definition>();
  readonly #waiting: Definition[] = [];

  constructor(writers: Writers) {
    this.#writers = writers;
  }

  texts(definitions: readonly Definition[]): string[] {
    for (const each of definitions) this.#visit(each);
    // unions in a cycle come after all classes; a union may be a part of another union
    for (let left = this.#waiting.length; left > 0; left--) {
      for (const each of this.#waiting.splice(0)) this.#union(each);
    }
    return [...this.#texts, ...this.#late];
  }

  #visit(given: Definition): void {
    const { identities, shapes } = this.#writers;
    const definition = identities.of(given) === undefined ? given : identities.forms.mainOf(given);
    if (this.#begun.has(definition)) return;
    this.#begun.add(definition);
    const entity = identities.of(definition) !== undefined;
    const needed = this.#namesIn(
      entity ? identities.recordOf(definition) : shapes.of(definition),
      new Set(),
    );
    for (const each of needed) this.#visit(each);
    if (entity) this.#class(definition, needed);
    else if (isUnion(definition, this.#writers)) this.#union(definition);
  }

  /** The entities and unions that a schema names, through plain types. */
  #namesIn(shape: Shape, seen: Set<Definition>): Set<Definition> {
    const { identities, shapes } = this.#writers;
    if (shape.is !== 'name') {
      for (const each of childShapes(shape)) this.#namesIn(each, seen);
      return seen;
    }
    const of = identities.oneIn(shape) ?? shapes.named(shape) ?? shape.of;
    if (seen.has(of)) return seen;
    seen.add(of);
    return identities.entitiesOf(of).length > 0 ? seen : this.#namesIn(shapes.of(of), seen);
  }

  #class(definition: Definition, needed: ReadonlySet<Definition>): void {
    const { name, head, schema, tail } = printEntity(definition, this.#writers);
    const stored = [...needed].filter(
      (each) => this.#writers.identities.entitiesOf(each).length > 0,
    );
    const ready = stored.every((each) => each === definition || this.#done.has(each));
    this.#texts.push(classText({ head, tail }, ready ? schema : undefined));
    if (!ready && schema !== undefined) this.#late.push(lay([`${name}.schema = `, schema, ';']));
    this.#done.add(definition);
  }

  #union(definition: Definition): void {
    const { shapes, schemas, types } = this.#writers;
    const { shape } = withoutNull(shapes.of(definition));
    if (shape.is !== 'choice' || this.#done.has(definition)) return;
    if (![...this.#namesIn(shape, new Set())].every((each) => this.#done.has(each))) {
      this.#waiting.push(definition);
      return;
    }
    const name = types.nameOf(definition, 'read');
    const doc = docComment(docOf(definition.schema));
    const value = lay([`export const ${name} = `, schemas.union(shape) ?? '', ';']);
    this.#texts.push(`${doc}${value}\nexport type ${name} = ${lay(types.text(shape, 'read'))};`);
    this.#done.add(definition);
  }
}

/** True for the name of a union of entities. */
function isUnion(definition: Definition, { identities, shapes }: Writers): boolean {
  const { shape } = withoutNull(shapes.of(definition));
  return shape.is === 'choice' && identities.isToldApart(shape);
}

function classText(
  { head, tail }: Pick<EntityText, 'head' | 'tail'>,
  schema: CodePiece | undefined,
): string {
  const line = schema && `\n  ${lay(['static override schema = ', schema, ';'], 2)}`;
  return `${head}${line ?? ''}${tail}`;
}
