/** Lets fields of a subclass stand before getters, also where a compiler assigns fields instead of defining them. */

/**
 * Gives the getters of `owner` a setter by which what is assigned becomes a member of its own. So assign fields React
 * Native's Babel preset, and TypeScript below ES2022: `urlPrefix = '…'` or `static key = '…'` would throw there.
 */
export function assignable(owner: object): void {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    if (member.get === undefined) continue;
    Object.defineProperty(owner, name, {
      set(this: object, value: unknown) {
        const own = { value, configurable: true, enumerable: true, writable: true };
        Object.defineProperty(this, name, own);
      },
    });
  }
}
