/** What tabs talk over; the one door to the platform's. */

/** What tabs talk over. A `BroadcastChannel` is one (WHATWG HTML); what one posts, each other gets as a structured clone. */
export interface TabChannel {
  postMessage(message: unknown): void;
  // any: that of the platform gets a MessageEvent, another channel what it has; of both only `data` is read
  onmessage: ((event: any) => void) | null;
  close(): void;
  /** Of Node: the channel does not keep the process alive. */
  unref?(): void;
}

/** That of the platform; undefined where it has none. */
export function channelOf(name: string): TabChannel | undefined {
  return typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : undefined;
}
