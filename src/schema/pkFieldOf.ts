/** The pk() methods that return one field unchanged: their result is known without a call. */

const fields = new WeakMap<object, string>();

interface Identified {
  readonly pk: (...told: never) => unknown;
}

/** Registers the pk() of this prototype as returning `field`. */
export function notePkField({ pk }: Identified, field: string): void {
  // members of Object.prototype are no keys
  if (!(field in Object.prototype)) fields.set(pk, field);
}

export function pkFieldOf(prototype: object): string | undefined {
  return fields.get((prototype as Identified).pk);
}
