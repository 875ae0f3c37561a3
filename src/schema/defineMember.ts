/** Members that an assignment cannot make. */

/** Defines a member as a class defines a field: also over a getter, a read-only `name`, or `__proto__`. */
export function defineMember(owner: object, name: string, value: unknown, enumerable = true): void {
  Object.defineProperty(owner, name, { value, configurable: true, enumerable, writable: true });
}
