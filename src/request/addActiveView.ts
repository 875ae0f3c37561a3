/** Mounted views and polls: they are notified when the user or the network comes back. */
import type { FetchContext, Refetchable } from './FetchContext.ts';

/** Listens to the surroundings while there is an active view. Returns the function that removes the view. */
export function addActiveView(context: FetchContext, view: Refetchable): () => void {
  const { activeViews, surroundings } = context;
  activeViews.add(view);
  context.stopListening ??= surroundings.listen((what) => {
    // while offline, a refetch cannot succeed; the return of the network triggers another one
    if (!surroundings.offline) for (const each of Array.from(activeViews)) each.onReturn(what);
  });
  return () => {
    activeViews.delete(view);
    if (activeViews.size > 0) return;
    context.stopListening?.();
    context.stopListening = undefined;
  };
}
