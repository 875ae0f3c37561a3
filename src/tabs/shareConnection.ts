/** A single stream connection for all tabs: the leader of the tabs with the same stream name connects. */
import { keepAliveUntilCleared } from '../clock.ts';
import { checkObject, DEV, SignalboxError } from '../errors.ts';
import { contextOf } from '../request/FetchContext.ts';
import { electLeader } from './electLeader.ts';
import type { Share, BeginConnection, MissedPeriod } from '../sync/StreamOptions.ts';
import { channelOf } from '../sync/TabChannel.ts';
import { tabResets } from '../sync/TabResets.ts';

/** The message of a tab that opens: the leader answers with the current progress. */
const ARRIVAL = 'arrival';

// how often the leader posts the progress to the others, ms
const OFTEN = 250;

const begin: BeginConnection = (controller, stream, steps) => {
  if (DEV) checkObject('shareConnection', steps, 'no call: write { share: shareConnection }');
  const { lead, progress, follow } = steps;
  const { store, clock } = contextOf(controller);
  const tabs = tabResets.get(store)?.name;
  const channel = channelOf(`signalbox stream ${tabs} ${stream}`);
  if (stream === undefined || (tabs === undefined && channel !== undefined)) {
    channel?.close();
    const missing = stream === undefined ? 'name' : 'connected tabs';
    throw new SignalboxError('L7', { stream: stream ?? 'a stream', missing });
  }
  let isLeader = false;
  let hasFollowed = false;
  let timer: unknown;
  const tell = () => {
    clock.clear(timer);
    timer = undefined;
    if (isLeader) channel?.postMessage(progress());
  };
  if (channel !== undefined) {
    channel.unref?.();
    channel.onmessage = ({ data }: { readonly data: unknown }) => {
      if (data === ARRIVAL) return tell();
      // a tab that becomes the leader at once hears of the former leader late
      if (!isGap(data) || (isLeader && hasFollowed)) return;
      hasFollowed = true;
      follow(data);
    };
    // a tab that takes over at once must know of the previous leader
    channel.postMessage(ARRIVAL);
  }
  // a tab that follows has no connection that would keep a Node process alive
  const alive = keepAliveUntilCleared(clock);
  const stop = electLeader(`${tabs} ${stream}`, () => {
    isLeader = true;
    const end = lead();
    return () => {
      tell();
      isLeader = false;
      end();
    };
  });
  return {
    noteAlive: () => void (timer ??= clock.after(OFTEN, tell)),
    stop: () => {
      stop();
      for (const each of [timer, alive]) clock.clear(each);
      channel?.close();
    },
  };
};

/**
 * The value of the option `share` of `connectEventSource` and `connectWebSocket`: one tab has the connection, and its
 * writes reach the others by `connectTabs`, which must be called first. If that tab is closed, crashes or is frozen,
 * another tab connects, and catches up from the progress of the first. Throws L7 if the tabs are not connected, and if
 * the stream has no name and no fixed address.
 */
export const shareConnection: Share<'shareConnection'> = begin as never;

function isGap(data: unknown): data is MissedPeriod {
  const { since, lastEventId } = (data ?? {}) as Partial<MissedPeriod>;
  return Number.isFinite(since) && typeof lastEventId === 'string';
}
