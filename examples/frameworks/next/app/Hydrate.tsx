'use client';
/** Hands the data of a server component to the hooks below it. */
import { useMemo, type ReactNode } from 'react';
import { useController } from 'signalbox/react';
import { hydrateController, type ServerState } from 'signalbox/ssr';

export function Hydrate({ state, children }: { state: ServerState; children: ReactNode }) {
  const controller = useController();
  // while rendering: the children read it
  useMemo(() => hydrateController(controller, state), [controller, state]);
  return children;
}
