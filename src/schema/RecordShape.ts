/** The form that records with the same fields share, computed once instead of for each row of a response. */
import type { EntityDescriptor } from './EntityDescriptor.ts';
import { isPlain } from './equal.ts';
import type { Fields } from './schema.ts';

/*
 *   class Todo { id = 0; title = ''; note = ''; author = User.fromJS(); get short() {…} }
 *
 *   {id: 5, title: 'x', short: 'y', author: {…}}    names   id title short author
 *                                                   own     id title           copied to an instance as given
 *                                                   places  [0]                positions of nested members: author
 *                                                   absent  note               fields that older data may still have
 */
export class RecordShape {
  /** The names of the fields that have a value. */
  readonly names: readonly string[];
  readonly own: readonly string[];
  readonly places: readonly number[];
  readonly absent: readonly string[];
  /** Time 0 for each field in `absent`. */
  readonly absentTimes: Readonly<Record<string, number>> | undefined;
  /** All fields are own or nested members, so that one Object.assign copies them to an instance. */
  readonly plain: boolean;
  /** A value that the store computes for one record of this form, and reuses for the next. */
  memo: object | undefined = undefined;

  constructor(fields: Fields, { positions, shadowed, declared }: EntityDescriptor) {
    const names: string[] = [];
    const own: string[] = [];
    const places: number[] = [];
    let all = 0;
    for (const name of Object.keys(fields)) {
      all++;
      if (fields[name] === undefined) continue;
      names.push(name);
      const place = positions.get(name);
      if (place !== undefined) places.push(place);
      else if (!shadowed.has(name)) own.push(name);
    }
    const left: string[] = [];
    for (const name of declared) if (!names.includes(name)) left.push(name);
    this.names = names;
    this.own = own;
    this.places = places;
    this.absent = left;
    this.absentTimes =
      left.length > 0 ? Object.fromEntries(left.map((name) => [name, 0])) : undefined;
    this.plain = own.length + places.length === all && !names.includes('__proto__');
  }

  /** True if other fields have this form, each with a value. */
  matches(fields: Fields): boolean {
    if (!isPlain(fields)) return false;
    const { names } = this;
    let at = 0;
    for (const name in fields) {
      if (name !== names[at++] || fields[name] === undefined) return false;
    }
    return at === names.length;
  }
}
