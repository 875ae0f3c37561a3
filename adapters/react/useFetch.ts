/** Starts the read of an endpoint without waiting for it. */
import type { ArgsOf } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import type { Ready } from '../../src/view/Ready.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { useLent } from './Provider.ts';
import { useEffect, useState } from './react.ts';
import { useKept } from './useResult.ts';

/**
 * `void useFetch(a); void useFetch(b);` above two `useSuspense` sends both at once. The promise is the one that they wait for:
 * stable, and it never rejects; errors are thrown by who reads.
 */
export function useFetch<E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E>): Ready {
  const reader = useLent('useFetch').view(endpoint, ...(args as ArgsOf<E>));
  const [asked] = useState<{ reader?: Reader }>(() => ({}));
  const wait = reader.ensure(asked.reader !== reader);
  useEffect(() => {
    asked.reader = reader;
  }, [asked, reader]);
  useKept(reader);
  return wait ?? reader.ready;
}
