// The messages between tabs under control of a test: each message waits for `deliver`, in the order of posting.
import type { TabChannel } from 'signalbox/tabs';

interface Message {
  readonly from: TabChannel;
  readonly to: TabChannel;
  readonly data: unknown;
}

export class MessageBus {
  readonly #open: Set<TabChannel> = new Set();
  readonly #messages: Message[] = [];
  /** All messages that were posted, each once. */
  readonly posted: Record<string, unknown>[] = [];

  get waiting(): number {
    return this.#messages.length;
  }

  get open(): number {
    return this.#open.size;
  }

  channel(): TabChannel {
    const channel: TabChannel = {
      onmessage: null,
      postMessage: (message) => {
        const data: unknown = structuredClone(message);
        this.posted.push(data as Record<string, unknown>);
        for (const to of this.#open)
          if (to !== channel) this.#messages.push({ from: channel, to, data });
      },
      close: () => void this.#open.delete(channel),
    };
    this.#open.add(channel);
    return channel;
  }

  /** Delivers one of the messages that may be next: each sender's first to each receiver; `at` chooses. */
  deliver(at: number): void {
    const message = at === 0 ? this.#messages[0] : this.#choose(at);
    if (message === undefined) return;
    this.#messages.splice(this.#messages.indexOf(message), 1);
    if (this.#open.has(message.to)) message.to.onmessage?.({ data: structuredClone(message.data) });
  }

  #choose(at: number): Message | undefined {
    const next = this.#messages.filter(
      ({ from, to }, place) =>
        this.#messages.findIndex((other) => other.from === from && other.to === to) === place,
    );
    return next[at % next.length];
  }

  /** The requests and commits in the messages, without mounts and unmounts of tabs. */
  get news(): unknown[] {
    return this.posted.flatMap(({ news }) => news as unknown[]);
  }
}
