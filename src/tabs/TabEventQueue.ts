/** Collects the news of a tab during the present task, and posts one message with all of them. */
import { nextMicrotask } from '../clock.ts';
import { reportException } from '../errors.ts';
import type { TabEvent } from './TabMessage.ts';

/** Returns a replacement for news that cannot be cloned for `reason`. */
type Less = (reason: unknown) => TabEvent;

interface Queued {
  readonly news: TabEvent;
  readonly less: Less;
}

export class TabEventQueue {
  readonly #post: (news: readonly TabEvent[]) => void;
  readonly #queued: Queued[] = [];

  constructor(post: (news: readonly TabEvent[]) => void) {
    this.#post = post;
  }

  add(news: TabEvent, less: Less = () => news): void {
    this.#queued.push({ news, less });
    if (this.#queued.length === 1) nextMicrotask(() => this.flush()).catch(reportException);
  }

  /** True if there was something to post. */
  flush(): boolean {
    const all = this.#queued.splice(0);
    if (all.length === 0) return false;
    try {
      this.#post(all.map(({ news }) => news));
    } catch {
      for (const each of all) this.#postAlone(each);
    }
    return true;
  }

  /** One of several news cannot be cloned. */
  #postAlone({ news, less }: Queued): void {
    try {
      this.#post([news]);
    } catch (reason) {
      this.#post([less(reason)]);
    }
  }
}
