/** What answers and layers say of entities, laid out. */
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Form } from '../schema/Form.ts';
import type { Fields, Node } from '../schema/schema.ts';
import type { Stamp } from './order.ts';

/** What readers are to see of an entity. */
export interface Image {
  readonly fields: Fields;
  /** Nested members in normalized form, in the order of the kind's plan. */
  readonly nodes: readonly Node[];
}

/** What a layer says of one entity. */
export interface Laying extends Image {
  fields: Fields;
  /** The names of the fields that have a value. */
  names: readonly string[];
  nodes: readonly Node[];
}

/** What an answer says of one entity; `form` and `instance` are filled in when everything is laid. */
export interface Put<R = unknown> {
  readonly record: R;
  /** Of the most derived class as which it was laid or is stored. */
  kind: EntityKind;
  fields: Fields;
  nodes: readonly Node[];
  form: Form | undefined;
  /** The instance to be, where the entity was missing. */
  instance: Fields | undefined;
  /** What a class that decides of its meta made of the stamp. */
  stamp: Stamp | undefined;
  /** The answer is that of its creation, which stands: existence is what that wrote itself. */
  created: boolean;
}
