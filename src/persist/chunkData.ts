/** Chunks as a storage holds them: text, or bytes behind a transform. */
import type { StoredData, Transform } from '../sync/PersistStorage.ts';

export async function decodeData(
  data: StoredData | undefined,
  transform: Transform | undefined,
): Promise<string> {
  if (data === undefined) throw new TypeError('it is missing');
  if (transform === undefined || typeof data === 'string') return textIn(data, transform);
  return new TextDecoder('utf-8', { fatal: true }).decode(await transform.decode(data));
}

/** The text of a chunk without a transform. Throws a TypeError if only the data or only the storage has a transform. */
export function textIn(data: StoredData | undefined, transform?: Transform): string {
  if (typeof data === 'string' && transform === undefined) return data;
  throw new TypeError('it was written with another transform');
}

export async function encodeText(
  text: string,
  transform: Transform | undefined,
): Promise<StoredData> {
  return transform === undefined ? text : transform.encode(new TextEncoder().encode(text));
}
