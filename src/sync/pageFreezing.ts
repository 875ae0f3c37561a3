/** Detects when a page is frozen and resumed (Page Lifecycle, back-forward cache). */

interface Freezing {
  readonly isFrozen: boolean;
  /** Resolves at once while the page runs, else when it resumes. */
  thawed(): Promise<void>;
  stop(): void;
}

/**
 * Calls `freeze` before the page is frozen; without a page never. In a frozen page no timer, response or lock arrives,
 * but messages of a `BroadcastChannel` do.
 */
export function pageFreezing(freeze: () => void): Freezing {
  const { document: page } = globalThis as { document?: Document };
  const view = page?.defaultView;
  let isFrozen = false;
  const thaw: (() => void)[] = [];
  const stopRunning = () => {
    isFrozen = true;
    freeze();
  };
  const goOn = () => {
    isFrozen = false;
    for (const go of thaw.splice(0)) go();
  };
  const listeners = [
    [page, 'freeze', stopRunning],
    [view, 'pagehide', stopRunning],
    [page, 'resume', goOn],
    [view, 'pageshow', goOn],
  ] as const;
  for (const [target, type, listener] of listeners) target?.addEventListener(type, listener);
  return {
    get isFrozen() {
      return isFrozen;
    },
    thawed: () => (isFrozen ? new Promise((resolve) => thaw.push(resolve)) : Promise.resolve()),
    stop() {
      for (const [target, type, listener] of listeners) target?.removeEventListener(type, listener);
      goOn();
    },
  };
}
