/** The channel between tabs, and the only place that uses the platform's `BroadcastChannel`. */

/**
 * A channel between tabs, as `BroadcastChannel` (WHATWG HTML): each message reaches all others as a structured clone.
 */
export interface TabChannel {
  postMessage(message: unknown): void;
  // any: the platform passes a MessageEvent, other channels pass other objects; only `data` is read
  onmessage: ((event: any) => void) | null;
  close(): void;
  /** In Node: the channel does not keep the process alive. */
  unref?(): void;
}

/** The `BroadcastChannel` of the platform; undefined if there is none, or none is allowed: Firefox without cookies. */
export function channelOf(name: string): TabChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
