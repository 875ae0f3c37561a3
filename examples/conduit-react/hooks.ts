/** The signals of the page and the user, for React. */
import { useCallback, useSyncExternalStore } from 'react';
import type { ReadonlySignal } from 'signalbox';
import { useSuspense } from 'signalbox/react';
import { UserResource } from '../conduit/api.ts';
import type { User } from '../conduit/api.ts';
import { token } from '../conduit/session.ts';

export function useSignal<T>(signal: ReadonlySignal<T>): T {
  const subscribe = useCallback((onChange: () => void) => signal.subscribe(onChange), [signal]);
  return useSyncExternalStore(subscribe, () => signal.value);
}

/** Who is logged in. */
export function useUser(): User | undefined {
  const isLoggedIn = useSignal(token) !== '';
  return useSuspense(UserResource.get, isLoggedIn ? undefined : null);
}
