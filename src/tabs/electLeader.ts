/** One leader among all tabs of a name: elected by locks, replaced when its tab is closed, killed or frozen. */
import { reportException } from '../errors.ts';
import { grantIn, pageFreezing, platformLocks } from '../sync/Locks.ts';
import type { Locks } from '../sync/Locks.ts';
import { ChannelLeases } from './ChannelLeases.ts';
import { channelOf } from '../sync/TabChannel.ts';

/** Begins the work of the leader. Returns how to end it. */
export type Lead = () => () => void;

/** The options of `electLeader`. */
export interface ElectionOptions {
  /**
   * An object with the `request` of Web Locks. Default: `navigator.locks`; without these, leases that tabs grant each
   * other over a `BroadcastChannel`; without a channel, each tab is a leader.
   */
  readonly locks?: Locks | undefined;
}

/**
 * `const stop = electLeader('clock', () => { const timer = setInterval(…); return () => clearInterval(timer); })`: runs
 * `lead` in one of all tabs with this name, and its cleanup function when the tab no longer leads: after `stop`, when
 * the page is frozen, or when another tab has taken over because this tab did not respond for 5 s. The next tab leads
 * at once if the leader was closed or crashed, after at most 10 s (with leases 12 s) if the leader does not respond.
 * Returns a function that leaves the election. An error of `lead` is reported, and the tab stays the leader without
 * running it.
 */
export function electLeader(
  name: string,
  lead: Lead,
  { locks = tabLocks() }: ElectionOptions = {},
): () => void {
  let isOver = false;
  let resign: (() => void) | undefined;
  let hasBegun = false;
  const work = (grant?: unknown) =>
    new Promise<void>((resolve) => {
      hasBegun = true;
      if (isOver) return resolve();
      const end = attempt(lead);
      resign = () => {
        resign = undefined;
        if (end !== undefined) attempt(end);
        resolve();
      };
      grantIn(grant)?.lost.addEventListener('abort', () => resign?.());
    });
  const freezing = pageFreezing(() => resign?.());
  const takePart = async () => {
    while (!isOver) {
      hasBegun = false;
      try {
        await locks.request(`signalbox leader ${name}`, work);
      } catch {
        // another page has taken the lock; if the platform refuses locks, no other tab can be reached either
        if (hasBegun) resign?.();
        else await work();
      }
      await freezing.thawed();
    }
  };
  void takePart();
  return () => {
    isOver = true;
    freezing.stop();
    resign?.();
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    reportException(error);
    return undefined;
  }
}

/** Tabs that cannot reach each other are each their own leader. */
export function tabLocks(): Locks {
  return platformLocks() ?? new ChannelLeases(() => channelOf('signalbox leases'));
}
