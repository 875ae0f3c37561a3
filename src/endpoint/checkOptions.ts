/** Warns of options that are one slip of the keyboard away from one that exists. In development only. */
import { warn } from '../diagnostics.ts';

// short names are left out: too many other words are near to them
const KNOWN =
  'schema method sideEffect searchParams body dataExpiryLength errorExpiryLength invalidIfStale errorPolicy ' +
  'pollFrequency retry timeout refetchOnFocus refetchOnReconnect returnPartialData revalidateLists testKey ' +
  'getOptimisticResponse update signal urlPrefix content itemPath getHeaders getRequestInit fetchResponse ' +
  'parseResponse searchToString process paginationField optimistic Collection Endpoint';

/** E11 for each option that neither exists nor is a member of the class, where a known one is near. */
export function checkOptions(options: object, prototype: object): void {
  const known = KNOWN.split(' ');
  for (const option of Object.keys(options)) {
    if (option in prototype || known.includes(option)) continue;
    const near = known.find((name) => isSlip(option, name));
    if (near !== undefined) warn('E11', option, { option, known: near });
  }
}

/** True where one letter is missing, added or another, or two neighbours have changed places. */
function isSlip(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  const shorter = Math.min(one.length, other.length) - start;
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one, other].map((text) => text.slice(start, text.length - end));
  if (left === undefined || right === undefined) return false;
  return (
    (left.length < 2 && right.length < 2) || (left.length === 2 && `${left[1]}${left[0]}` === right)
  );
}
