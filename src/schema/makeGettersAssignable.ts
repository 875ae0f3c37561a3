/** Lets fields of a subclass override getters, also if a compiler assigns fields instead of defining them. */
import { defineOwn } from './equal.ts';

/**
 * Adds to each getter of `owner` a setter that defines an own member. React Native's Babel preset, and TypeScript below
 * ES2022, assign fields: `urlPrefix = '…'` or `static key = '…'` would throw there.
 */
export function makeGettersAssignable(owner: object): void {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    if (member.get === undefined) continue;
    Object.defineProperty(owner, name, {
      set(this: object, value: unknown) {
        defineOwn(this, name, value);
      },
    });
  }
}
