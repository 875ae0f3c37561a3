/** Where a stream is, and how errors call it. */

/** Text, or a URL. */
export type Address = string | { readonly href: string };

/** One that stays, or a function that is asked at each attempt. */
export type Addresses<A extends unknown[] = []> =
  | Address
  | ((...args: A) => Address | Promise<Address>);

/** `fixed`: it is the same at each attempt, and known now. */
export function addressesOf<A extends unknown[]>(
  url: Addresses<A>,
): {
  readonly fixed: string | undefined;
  address(...args: A): string | Promise<string>;
} {
  if (typeof url === 'function') {
    const address = (...args: A) => {
      const given = url(...args);
      return given instanceof Promise ? given.then(textOf) : textOf(given);
    };
    return { fixed: undefined, address };
  }
  const fixed = textOf(url);
  return { fixed, address: () => fixed };
}

function textOf(address: Address): string {
  return typeof address === 'string' ? address : address.href;
}

/** Without what may be secret in it. */
export function nameOf(address: string): string {
  return address.replace(/[?#].*/s, '');
}
