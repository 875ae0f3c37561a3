/** Primary keys in the arguments of a call: themselves, and the members of plain objects. */
import { isPlain } from '../schema/equal.ts';
import type { Args } from '../schema/schema.ts';

/** The same arguments with other keys in the place of those that `swap` knows: what it gives undefined for stays. */
export function swapKeys(args: Args, swap: (key: string) => unknown): Args {
  const one = (value: unknown): unknown =>
    typeof value === 'string' || typeof value === 'number' ? (swap(String(value)) ?? value) : value;
  return args.map((arg) =>
    isPlain(arg)
      ? Object.fromEntries(Object.entries(arg).map(([name, value]) => [name, one(value)]))
      : one(arg),
  );
}
