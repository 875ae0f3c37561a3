/** Who is logged in. */
import { useSuspense } from 'signalbox/preact';
import { UserResource } from '../conduit/api.ts';
import type { User } from '../conduit/api.ts';
import { token } from '../conduit/session.ts';

export function useUser(): User | undefined {
  return useSuspense(UserResource.get, token.value === '' ? null : undefined);
}
