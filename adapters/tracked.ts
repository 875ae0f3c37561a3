/** An object of getters, for frameworks that track reads. */

/** `now` returns the present object; `names` are its members. The result must not be destructured. */
export function tracked<T extends object>(now: () => T, names: readonly (keyof T)[]): T {
  const members = names.map((name) => [name, { get: () => now()[name], enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(members) as PropertyDescriptorMap) as T;
}
