/** Text that nobody else makes. */

/** A random UUID (RFC 9562), where the platform gives one: pages without https have none. */
export function newKey(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (typeof crypto?.randomUUID === 'function') return crypto.randomUUID();
  return Array.from({ length: 3 }, () => Math.random().toString(36).slice(2)).join('');
}
