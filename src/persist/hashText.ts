/** Hashes a text to a number. */
/** FNV-1a, 32 bits; another `seed` gives another hash. */
export function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
