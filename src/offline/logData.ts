/** Records of the log in the form for storages: text, or bytes for records with files or behind a transform. */
import { decode, encode } from '../schema/wire.ts';
import type { Json } from '../schema/wire.ts';
import type { StoredData, Transform } from '../sync/PersistStorage.ts';

/*
 *   text    [key, value]                          JSON, with the tags of wire.ts; { "$": n } is part n
 *   bytes   length of the text, the text of [[key, value], [[type, name, size], …]], the parts
 */

type Part = Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer>;

/** A record as JSON, with the values that JSON cannot express apart. */
export interface PackedRecord {
  readonly json: Json;
  readonly parts: readonly Part[];
}

const LENGTH = 4;

/** Throws a TypeError for a value that cannot be stored: a function, a cyclic value, an object of the platform. */
export function pack(key: string, value: unknown): PackedRecord {
  const parts: Part[] = [];
  const json = encode([key, value], (type, _, part) => {
    if (!isPart(part)) throw new TypeError(`it contains a value of type ${type}`);
    parts.push(copyOf(part));
    return { $: parts.length - 1 };
  });
  return { json, parts };
}

/** A copy of the packed value. Throws for text of another format. */
export function unpack({ json, parts }: PackedRecord): readonly [key: string, value: unknown] {
  const record = decode(json, (at) => {
    const part = parts[at];
    return part && copyOf(part);
  });
  if (!Array.isArray(record) || typeof record[0] !== 'string') throw new TypeError('not a record');
  return [record[0], record[1]];
}

function isPart(value: unknown): value is Part {
  return isBlob(value) || value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

function isBlob(value: unknown): value is Blob {
  return typeof Blob === 'function' && value instanceof Blob;
}

/** Files are immutable, other bytes are not. */
function copyOf(part: Part): Part {
  return isBlob(part) ? part : structuredClone(part);
}

/** With a transform the result is always bytes that `transform.encode` returned. */
export async function seal(
  { json, parts }: PackedRecord,
  transform: Transform | undefined,
): Promise<StoredData> {
  if (transform === undefined && parts.length === 0) return JSON.stringify(json);
  const text = new TextEncoder().encode(JSON.stringify([json, parts.map(headOf)]));
  const length = new DataView(new ArrayBuffer(LENGTH));
  length.setUint32(0, text.length);
  const plain = joined([bytesOf(length), text, ...(await Promise.all(parts.map(bytesIn)))]);
  return transform === undefined ? plain : transform.encode(plain);
}

async function bytesIn(part: Part): Promise<Uint8Array> {
  return bytesOf(isBlob(part) ? await part.arrayBuffer() : part);
}

function bytesOf(part: ArrayBuffer | ArrayBufferView<ArrayBuffer>): Uint8Array {
  if (part instanceof ArrayBuffer) return new Uint8Array(part);
  return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
}

function joined(all: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const some of all) {
    bytes.set(some, at);
    at += some.length;
  }
  return bytes;
}

type PartHead = readonly [type: string, size: number, ...of: (string | number)[]];

function headOf(part: Part): PartHead {
  const type = Object.prototype.toString.call(part).slice('[object '.length, -1);
  if (!isBlob(part)) return [type, part.byteLength];
  const { name = '', lastModified = 0 } = part as Partial<File>;
  return [type, part.size, part.type, name, lastModified];
}

/** The reverse of `seal`. Throws for other data. */
export async function unseal(
  data: StoredData,
  transform: Transform | undefined,
): Promise<PackedRecord> {
  if (typeof data === 'string') return { json: JSON.parse(data) as Json, parts: [] };
  const plain = transform === undefined ? data : await transform.decode(data);
  const { buffer, byteOffset, byteLength } = plain;
  const start = LENGTH + new DataView(buffer, byteOffset, byteLength).getUint32(0);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(plain.subarray(LENGTH, start));
  const [json, heads] = JSON.parse(text) as [Json, PartHead[]];
  let at = start;
  const parts = heads.map((head) => partOf(head, plain.slice(at, (at += head[1])).buffer));
  return { json, parts };
}

function partOf([tag, , type, name, lastModified]: PartHead, bytes: ArrayBuffer): Part {
  const options = { type: type as string, lastModified: lastModified as number };
  if (tag === 'File') return new File([bytes], name as string, options);
  if (tag === 'Blob') return new Blob([bytes], options);
  if (tag === 'ArrayBuffer') return bytes;
  // a typed array, or a DataView
  const View = Reflect.get(globalThis, tag) as new (
    bytes: ArrayBuffer,
  ) => ArrayBufferView<ArrayBuffer>;
  return new View(bytes);
}
