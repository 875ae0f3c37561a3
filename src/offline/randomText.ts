/** Creates unique text. */

/** A random UUID (RFC 9562) if the platform has one: pages without https do not. */
export function randomText(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (typeof crypto?.randomUUID === 'function') return crypto.randomUUID();
  return Array.from({ length: 3 }, () => Math.random().toString(36).slice(2)).join('');
}
