// A channel under control of a test: each message waits for `deliver`, in the order in which the sender posted.
import type { TabChannel } from 'signalbox/tabs';

interface Letter {
  readonly from: TabChannel;
  readonly to: TabChannel;
  readonly data: unknown;
}

export class Post {
  readonly #open: Set<TabChannel> = new Set();
  readonly #letters: Letter[] = [];
  /** All messages that were posted, each once. */
  readonly posted: Record<string, unknown>[] = [];

  get waiting(): number {
    return this.#letters.length;
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
          if (to !== channel) this.#letters.push({ from: channel, to, data });
      },
      close: () => void this.#open.delete(channel),
    };
    this.#open.add(channel);
    return channel;
  }

  /** Delivers one of the messages that may be next: each sender's first to each receiver; `at` chooses. */
  deliver(at: number): void {
    const letter = at === 0 ? this.#letters[0] : this.#choose(at);
    if (letter === undefined) return;
    this.#letters.splice(this.#letters.indexOf(letter), 1);
    if (this.#open.has(letter.to)) letter.to.onmessage?.({ data: structuredClone(letter.data) });
  }

  #choose(at: number): Letter | undefined {
    const next = this.#letters.filter(
      ({ from, to }, place) =>
        this.#letters.findIndex((other) => other.from === from && other.to === to) === place,
    );
    return next[at % next.length];
  }

  /** The requests and commits in the messages, without mounts and unmounts of tabs. */
  get news(): unknown[] {
    return this.posted.flatMap(({ news }) => news as unknown[]);
  }
}
