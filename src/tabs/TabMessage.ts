/** The messages between tabs: plain data for structured clone, in the order of the events. */
import type { Commit, Issued, Write } from '../request/Events.ts';
import type { Args } from '../schema/schema.ts';
import type { Resets } from '../sync/Resets.ts';
import type { StoreRow } from './StoreRow.ts';
import type { SchemaRef } from './SchemaRef.ts';

/*
 *   { signalbox: 1, version, owner, from: 0.5271…, time: 17638…, opened: 17638…, generation: [], resets, presence, news: [
 *       { request: { id, at, … } }                    a request was sent: its response may come
 *       { commit: { cause, time, writes: […] } }      the writes of a commit
 *       { ended: [id, …] }                            requests that ended without a commit to replay
 *       { handover: { says, … } }                     to, or from, a tab that opens
 *   ] }
 */

/** The version of this format. Tabs that run another build of this library may use another one. */
export const MESSAGE_VERSION = 1;

export interface TabMessage {
  readonly signalbox: typeof MESSAGE_VERSION;
  readonly version: string | number | undefined;
  /** The owner of the data of the sending tab: a channel of the application may carry messages of several owners. */
  readonly owner?: string | undefined;
  /** The id of the sending tab. */
  readonly from: number;
  /** The logical time of the sending tab. */
  readonly time: number;
  /** Logical time at which the sending tab was connected, with an empty store: its data are later than all resets before. */
  readonly opened: number;
  /** The resets that the data in this message are later than. */
  readonly generation: Resets;
  /** True if the tab was reset, and reports this reset with this message. */
  readonly resets: boolean;
  /** `come`: the tab was just connected, and needs the state of the others. `go`: the tab is disconnecting. */
  readonly presence: 'come' | 'go' | undefined;
  readonly news: readonly TabEvent[];
}

export type TabEvent =
  | { readonly request: SerializedRequest }
  | { readonly commit: SerializedCommit }
  | { readonly ended: readonly number[] }
  | { readonly handover: HandoverMessage };

/** Between a tab that opens and the leader, if requests are shared. */
export type HandoverMessage =
  /** `leads`: this tab leads now. `wants`: this tab has opened. `more`: this tab has stored a slice. */
  | { readonly says: 'leads' | 'wants' | 'more' }
  | {
      readonly says: 'slice';
      readonly to: number;
      /** Logical time. */
      readonly at: number;
      readonly rows: readonly StoreRow[];
      readonly isLast: boolean;
    };

/** A request of another tab. Of a mutation only that it is in flight. */
export interface SerializedRequest extends Pick<Issued, 'id' | 'at'> {
  readonly title: string;
  readonly read?:
    | { readonly key: string; readonly schema: SchemaRef; readonly args: Args }
    | undefined;
}

export interface SerializedCommit extends Pick<Commit, 'cause' | 'key' | 'ids' | 'at' | 'time'> {
  readonly writes: readonly SerializedWrite[];
}

/** Without a schema: tabs that have the key know its schema. */
export interface SerializedWrite extends Pick<Write, 'key' | 'args' | 'value' | 'stamp'> {
  readonly schema?: SchemaRef | undefined;
  readonly by?: SerializedEndpoint | undefined;
  /** True if the value cannot be cloned or named: the stored response of the key is out of date. */
  readonly unsaid?: true;
}

/** An endpoint: its name, or the properties that a reader of its response needs. */
export type SerializedEndpoint =
  | string
  | {
      readonly title: string;
      /** True for a mutation: the last one of its arguments, the body, identifies no list. */
      readonly sideEffect?: boolean | undefined;
      /** PUT and PATCH may give the entity that the arguments name another primary key. */
      readonly method?: string | undefined;
      /** Of a page: the list to which the page is added. */
      readonly list?:
        | { readonly key: string; readonly schema: SchemaRef; readonly args: Args }
        | undefined;
    };

/** True for a message of this format; other messages on the channel are ignored. */
export function isTabMessage(data: unknown): data is TabMessage {
  return (data as Partial<TabMessage> | null | undefined)?.signalbox === MESSAGE_VERSION;
}

/** True for stored records, and for writes. */
export function hasData(news: TabEvent): boolean {
  return 'commit' in news || ('handover' in news && news.handover.says === 'slice');
}
