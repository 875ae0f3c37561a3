/** An object whose members are read when they are asked for, for frameworks that track what is read. */

/** `now` gives the object of the moment; `names` are its members. The result is not to be destructured. */
export function tracked<T extends object>(now: () => T, names: readonly (keyof T)[]): T {
  const members = names.map((name) => [name, { get: () => now()[name], enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(members) as PropertyDescriptorMap) as T;
}
