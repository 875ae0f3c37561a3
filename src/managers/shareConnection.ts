/** One stream connection for all tabs: of the tabs that have a stream of one name, one leads. */
import { SignalboxError } from '../diagnostics.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import { electLeader } from './electLeader.ts';
import type { Share } from './Share.ts';
import type { BeginConnection } from './SharedConnection.ts';
import type { Gap } from './StreamOptions.ts';
import { channelOf } from './TabChannel.ts';
import { tabResets } from './tabResets.ts';

// how often the leader tells the others how far it has come, ms
const OFTEN = 250;

const begin: BeginConnection = (controller, stream, { lead, progress, follow }) => {
  const { store, clock } = contextOf(controller);
  const tabs = tabResets.get(store)?.name;
  const channel = channelOf(`signalbox stream ${tabs} ${stream}`);
  if (stream === undefined || (tabs === undefined && channel !== undefined)) {
    channel?.close();
    const missing = stream === undefined ? 'name' : 'connected tabs';
    throw new SignalboxError('L7', { stream: stream ?? 'a stream', missing });
  }
  let isLeader = false;
  let timer: unknown;
  const tell = () => {
    timer = undefined;
    if (isLeader) channel?.postMessage(progress());
  };
  if (channel !== undefined) {
    channel.unref?.();
    channel.onmessage = ({ data }: { readonly data: unknown }) => {
      if (!isLeader && isGap(data)) follow(data);
    };
  }
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
    heard: () => void (timer ??= clock.after(OFTEN, tell)),
    stop: () => {
      stop();
      clock.clear(timer);
      channel?.close();
    },
  };
};

/**
 * The value of the option `share` of `connectEventSource` and `connectWebSocket`: one tab has the connection, and what it
 * writes comes to the others by `connectTabs`, which must have been called before. When that tab is closed, crashes or is
 * frozen, another one connects, and catches up from where the first one was. Throws L7 where the tabs are not connected,
 * and where the stream has no name and no fixed address.
 */
export const shareConnection: Share<'shareConnection'> = begin as never;

function isGap(data: unknown): data is Gap {
  const { since, lastEventId } = (data ?? {}) as Partial<Gap>;
  return Number.isFinite(since) && typeof lastEventId === 'string';
}
