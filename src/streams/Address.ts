/** The address of a stream, and its name in errors. */

/** Text, or a URL. */
export type Address = string | { readonly href: string };

/** A fixed address, or a function that is called at each attempt. */
export type Addresses<A extends unknown[] = []> =
  | Address
  | ((...args: A) => Address | Promise<Address>);

/** `fixedAddress`: the address, if it is the same at each attempt. */
export function addressesOf<A extends unknown[]>(
  url: Addresses<A>,
): {
  readonly fixedAddress: string | undefined;
  address(...args: A): string | Promise<string>;
} {
  if (typeof url === 'function') {
    const address = (...args: A) => {
      const given = url(...args);
      return given instanceof Promise ? given.then(textOf) : textOf(given);
    };
    return { fixedAddress: undefined, address };
  }
  const fixedAddress = textOf(url);
  return { fixedAddress, address: () => fixedAddress };
}

function textOf(address: Address): string {
  return typeof address === 'string' ? address : address.href;
}

/** Without the parts that may be secret. */
export function nameOf(address: string): string {
  return address.replace(/[?#].*/s, '');
}
