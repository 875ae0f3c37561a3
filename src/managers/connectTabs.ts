/** Tabs of one application tell each other what they have confirmed. */
import type { Controller } from '../Controller.ts';
import { SignalboxError } from '../diagnostics.ts';
import { isPlain } from '../schema/equal.ts';
import type { Locks } from './Locks.ts';
import type { Names } from './Registry.ts';
import type { Share } from './Share.ts';
import type { BeginSharing } from './Sharing.ts';
import { Tab } from './Tab.ts';
import { channelOf } from './TabChannel.ts';
import type { TabChannel } from './TabChannel.ts';

/** How tabs find and understand each other. */
export interface TabsOptions {
  /** Resources, endpoints and schemas by names that are the same in all tabs, as in `{ todo: TodoResource }`. */
  readonly names: Names;
  /** Tabs that are connected under one name hear each other. Default `signalbox`. */
  readonly name?: string | undefined;
  /** Of the application: of tabs of another version only log outs are heard. */
  readonly version?: string | number | undefined;
  /** Default: a `BroadcastChannel` of this name. */
  readonly channel?: TabChannel | undefined;
  /** `shareRequests`: one request for each key in all tabs, and a tab that opens starts with what they have stored. Default: none. */
  readonly share?: Share<'shareRequests'> | undefined;
  /** Of `share`: an object with the `request` of Web Locks. Default: as of `electLeader`. */
  readonly locks?: Locks | undefined;
}

/**
 * `const stop = connectTabs(controller, { names: { todo: TodoResource } })`: what one tab has confirmed is written in all
 * others that are connected under the same name, by the law of order, once, and without a request. What is only expected
 * of mutations stays in its tab, and so do errors. To be called where the controller is made, before it asks for
 * anything. Where there is no channel (React Native) nothing happens; on a server it must not be called. Throws B5 where
 * `names` is no object. Gives back how to stop, which closes the channel.
 */
export function connectTabs(controller: Controller, options: TabsOptions): () => void {
  const { names, name = 'signalbox', version } = options;
  if (!isPlain(names)) throw new SignalboxError('B5', { value: names });
  const channel = options.channel ?? channelOf(name);
  if (channel === undefined) return () => {};
  const tabs = `${name} ${version ?? ''}`;
  const begin = options.share as unknown as BeginSharing | undefined;
  return new Tab(controller, channel, { ...options, name: tabs, share: begin }).stop;
}
