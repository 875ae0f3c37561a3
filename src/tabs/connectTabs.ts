/** Replays the confirmed changes of each tab in the other tabs of an application. */
import type { Controller } from '../Controller.ts';
import { checkObject, DEV, SignalboxError } from '../errors.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import type { Locks } from '../sync/Locks.ts';
import type { Names } from '../sync/Registry.ts';
import type { Share } from '../sync/StreamOptions.ts';
import type { BeginSharing } from './shareRequests.ts';
import { Tab } from './Tab.ts';
import { channelOf } from '../sync/TabChannel.ts';
import type { TabChannel } from '../sync/TabChannel.ts';

/** The options of `connectTabs`. */
export interface TabsOptions {
  /** Resources, endpoints and schemas by names that are the same in all tabs, as in `{ todo: TodoResource }`. */
  readonly names: Names;
  /** Tabs that are connected under the same name exchange changes. Default `signalbox`. */
  readonly name?: string | undefined;
  /**
   * The user whose data the controller holds: the id of the logged-in user. Tabs of another owner are not connected:
   * neither data nor log outs are exchanged with them. Default: one owner for all.
   */
  readonly owner?: string | undefined;
  /** The version of the application: from tabs of another version only log outs are received. */
  readonly version?: string | number | undefined;
  /** Default: a `BroadcastChannel` of this name. */
  readonly channel?: TabChannel | undefined;
  /**
   * `shareRequests`: one request for each key in all tabs, and a tab that opens starts with the data stored by the
   * others. Default: no sharing.
   */
  readonly share?: Share<'shareRequests'> | undefined;
  /** For `share`: an object with the `request` of Web Locks. Default: as of `electLeader`. */
  readonly locks?: Locks | undefined;
}

/**
 * `const stop = connectTabs(controller, { names: { todo: TodoResource } })`: changes confirmed in one tab are written
 * in all other tabs that are connected under the same name, by the rules of versioning, once, and without a request.
 * Optimistic writes and errors stay in their tab. To be called where the controller is created, before its first
 * request. Without a channel (React Native) nothing happens; must not be called on a server. Throws B5 if `names` is no
 * object. Returns a function that stops, and closes the channel.
 */
export function connectTabs(controller: Controller, options: TabsOptions): () => void {
  if (DEV) checkObject('connectTabs', options, 'an object with names');
  const { names, name: all = 'signalbox', owner, version } = options;
  if (!isPlainObject(names)) throw new SignalboxError('B5', { value: names });
  const name = owner === undefined ? all : `${all} of ${encodeURIComponent(owner)}`;
  const channel = options.channel ?? channelOf(name);
  if (channel === undefined) return () => {};
  const tabs = `${name} ${version ?? ''}`;
  const begin = options.share as unknown as BeginSharing | undefined;
  return new Tab(controller, channel, { ...options, name: tabs, share: begin }).stop;
}
