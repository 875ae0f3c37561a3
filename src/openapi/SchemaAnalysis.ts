/** The content of a shape: whether it has entities, and whether a schema can find them. */
import type { Definition } from './Document.ts';
import type { Identities } from './Identities.ts';
import { childShapes } from './Shape.ts';
import type { Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

export class SchemaAnalysis {
  readonly #identities: Identities;
  readonly #shapes: Shapes;
  readonly #differing = new Map<Definition, boolean>();
  readonly #lost = new Map<Definition, boolean>();

  constructor(identities: Identities, shapes: Shapes) {
    this.#identities = identities;
    this.#shapes = shapes;
  }

  /** True if the sides differ: the type contains entities, or members that are only read or only sent. */
  differs(definition: Definition): boolean {
    return once(this.#differing, definition, () => this.#differs(definition));
  }

  #differs(definition: Definition): boolean {
    const oneWay = (shape: Shape) =>
      shape.is === 'object' && shape.members.some((each) => each.readOnly || each.writeOnly);
    const shape: Shape = { is: 'name', of: definition };
    return this.#reaches(shape, new Set(), (each) => this.#isEntity(each) || oneWay(each));
  }

  /** True for a plain type that contains itself and entities: no schema can express this. */
  isLost(definition: Definition): boolean {
    return once(this.#lost, definition, () => this.#isLost(definition));
  }

  #isLost(definition: Definition): boolean {
    if (this.#identities.entitiesOf(definition).length > 0) return false;
    const itself = (each: Shape) => each.is === 'name' && each.of === definition;
    return this.#reaches(this.#shapes.of(definition), new Set(), itself) && this.holds(definition);
  }

  /** True if the type contains entities. */
  holds(definition: Definition): boolean {
    const shape: Shape = { is: 'name', of: definition };
    return this.#reaches(shape, new Set(), (each) => this.#isEntity(each));
  }

  #isEntity(shape: Shape): boolean {
    return shape.is === 'name' && this.#identities.entitiesOf(shape.of).length > 0;
  }

  /** Searches through plain types, and stops at entities. */
  #reaches(shape: Shape, seen: Set<Definition>, test: (shape: Shape) => boolean): boolean {
    if (test(shape)) return true;
    if (shape.is === 'name') {
      const { of } = shape;
      if (seen.has(of) || this.#isEntity(shape)) return false;
      seen.add(of);
      return this.#reaches(this.#shapes.of(of), seen, test);
    }
    return childShapes(shape).some((each) => this.#reaches(each, seen, test));
  }
}

/** The cached result, or the result of `find`, cached from now on. */
function once(known: Map<Definition, boolean>, of: Definition, find: () => boolean): boolean {
  let answer = known.get(of);
  if (answer === undefined) known.set(of, (answer = find()));
  return answer;
}
