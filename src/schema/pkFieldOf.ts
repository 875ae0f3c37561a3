/** Which pk() methods give one field as it is: their result is known without a call. */

const fields = new WeakMap<object, string>();

interface Identified {
  readonly pk: (...told: never) => unknown;
}

/** Says so of the method of this prototype. */
export function notePkField({ pk }: Identified, field: string): void {
  // what every object inherits is no key
  if (!(field in Object.prototype)) fields.set(pk, field);
}

export function pkFieldOf(prototype: object): string | undefined {
  return fields.get((prototype as Identified).pk);
}
