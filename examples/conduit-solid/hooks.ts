/** The signals of the page and the user, for Solid. */
import { from } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { ReadonlySignal } from 'signalbox';
import { useSuspense } from 'signalbox/solid';
import { UserResource } from '../conduit/api.ts';
import type { User } from '../conduit/api.ts';
import { token } from '../conduit/session.ts';

export function useSignal<T>(signal: ReadonlySignal<T>): Accessor<T> {
  return from((set) => signal.subscribe((value) => set(() => value)), signal.peek());
}

/** Who is logged in. */
export function useUser(): Accessor<User | undefined> {
  const current = useSignal(token);
  return useSuspense(UserResource.get, () => (current() === '' ? null : undefined));
}
