/** One leader among all tabs of a name: elected by locks, replaced when its tab is closed, killed or frozen. */
import { report } from '../diagnostics.ts';
import { grantIn } from './Locks.ts';
import type { Locks } from './Locks.ts';
import { ChannelLeases } from './ChannelLeases.ts';
import { pageFreezing } from './pageFreezing.ts';
import { platformLocks } from './platformLocks.ts';
import { channelOf } from './TabChannel.ts';

/** Begins the work of the leader. Returns how to end it. */
export type Lead = () => () => void;

/** What `electLeader` can be given. */
export interface ElectionOptions {
  /**
   * An object with the `request` of Web Locks. Default: `navigator.locks`; without these, leases that tabs grant each other
   * over a `BroadcastChannel`; without that, each tab is a leader.
   */
  readonly locks?: Locks | undefined;
}

/**
 * `const stop = electLeader('clock', () => { const timer = setInterval(…); return () => clearInterval(timer); })`: runs `lead`
 * in one of all tabs that take part under this name, and the function that it returned when the tab no longer leads: after
 * `stop`, when the page is frozen, or when another tab has taken its place because it did not answer for 5 s. Then another
 * tab leads: at once where the leader was closed or crashed, after at most 10 s (with leases 12 s) where it does not answer.
 * Returns how to take part no longer. An error of `lead` is reported, and the tab leads without it.
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
        // another page has taken the lock; where the platform refuses locks, no other tab is reached either
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
    report(error);
    return undefined;
  }
}

/** Of tabs that cannot reach each other each has its own. */
export function tabLocks(): Locks {
  return platformLocks() ?? new ChannelLeases(() => channelOf('signalbox leases'));
}
