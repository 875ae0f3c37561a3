/** How often each law is tried: LAWS_RUNS in the environment, or some hundred times. */
const asked = Number(process.env['LAWS_RUNS']);

/** For `fc.assert`; `share` is the part of the runs for a slow law. A failure prints the seed. */
export function runs(share = 1): { numRuns: number } {
  const all = Number.isInteger(asked) && asked > 0 ? asked : 300;
  return { numRuns: Math.max(1, Math.round(all * share)) };
}

export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

/** Members in any other order, at every depth. */
export function turned<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(turned) as T;
  const pairs = Object.entries(value).map(([name, inner]) => [name, turned(inner)] as const);
  return Object.fromEntries(pairs.reverse()) as T;
}
