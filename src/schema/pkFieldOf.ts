/** The pk() methods that return one field unchanged: their result is known without a call. */

const pkFields = new WeakMap<object, string>();

interface HasPk {
  readonly pk: (...told: never) => unknown;
}

/** Registers the pk() of this prototype as returning `field`. */
export function registerPkField({ pk }: HasPk, field: string): void {
  // members of Object.prototype are no keys
  if (!(field in Object.prototype)) pkFields.set(pk, field);
}

export function pkFieldOf(prototype: object): string | undefined {
  return pkFields.get((prototype as HasPk).pk);
}
