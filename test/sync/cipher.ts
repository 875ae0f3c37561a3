// AES-GCM, as in docs/persistence.md.
import type { Transform } from 'signalbox/persist';

export async function cipher(): Promise<Transform> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  return {
    async encode(plain) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain as never);
      return new Uint8Array([...iv, ...new Uint8Array(sealed)]);
    },
    async decode(bytes) {
      const iv = bytes.slice(0, 12);
      const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(12));
      return new Uint8Array(plain);
    },
  };
}
