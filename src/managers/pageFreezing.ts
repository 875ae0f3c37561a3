/** When a page is frozen, and when it goes on: nothing runs in it between these (Page Lifecycle, back-forward cache). */

interface Freezing {
  /** Resolves at once while the page runs, else when it goes on. */
  thawed(): Promise<void>;
  stop(): void;
}

/** Calls `freeze` before the page stops. Where there is no page: never. */
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
    thawed: () => (isFrozen ? new Promise((resolve) => thaw.push(resolve)) : Promise.resolve()),
    stop() {
      for (const [target, type, listener] of listeners) target?.removeEventListener(type, listener);
      goOn();
    },
  };
}
