/** What records with the same fields have in common: worked out once, not for each row of an answer. */
import type { EntityPlan } from './EntityPlan.ts';
import { isPlain } from './equal.ts';
import { namesIn } from './namesIn.ts';
import type { Fields } from './schema.ts';

/*
 *   class Todo { id = 0; title = ''; note = ''; author = User.fromJS(); get short() {…} }
 *
 *   {id: 5, title: 'x', short: 'y', author: {…}}    names   id title short author
 *                                                   own     id title           what an instance takes as it comes
 *                                                   places  [0]                of its nested members: author
 *                                                   left    note               what older data may still bring
 */
export class Form {
  /** Of the fields that have a value. */
  readonly names: readonly string[];
  readonly own: readonly string[];
  readonly places: readonly number[];
  readonly left: readonly string[];
  /** The times of these: never. */
  readonly never: Readonly<Record<string, number>> | undefined;
  /** All are own, so that an instance may take them at once. */
  readonly plain: boolean;
  /** What the floor above works out for one record of this form, and finds again for the next. */
  step: object | undefined = undefined;

  constructor(fields: Fields, { positions, shadowed, declared }: EntityPlan) {
    const names = namesIn(fields);
    this.names = names;
    this.own = names.filter((name) => !positions.has(name) && !shadowed.has(name));
    this.places = names.flatMap((name) => positions.get(name) ?? []);
    this.left = declared.filter((name) => !names.includes(name));
    this.never =
      this.left.length > 0 ? Object.fromEntries(this.left.map((name) => [name, 0])) : undefined;
    this.plain = this.own.length === Object.keys(fields).length && !names.includes('__proto__');
  }

  /** True for other fields of this form, each with a value. */
  fits(fields: Fields): boolean {
    if (!isPlain(fields)) return false;
    const { names } = this;
    let at = 0;
    for (const name in fields) {
      if (name !== names[at++] || fields[name] === undefined) return false;
    }
    return at === names.length;
  }
}
