/** What tabs say to each other: plain data that a structured clone keeps, in the order in which it happened. */
import type { Commit, Issued, Write } from '../fetch/Events.ts';
import type { Args } from '../schema/schema.ts';
import type { StoreRow } from './StoreRow.ts';
import type { Term } from './Term.ts';

/*
 *   { signalbox: 1, version, from: 0.5271…, time: 17638…, generation: 0, resets: false, greets, news: [
 *       { request: { id, at, … } }                    a request left: its answer may come
 *       { commit: { cause, time, writes: […] } }      what one commit wrote
 *       { ended: [id, …] }                            these have ended, and nothing of them is told
 *       { handover: { says, … } }                     to, or from, a tab that opens
 *   ] }
 */

/** The form of messages. Tabs that run another build of this library may have another one. */
export const FORM = 1;

export interface TabMessage {
  readonly signalbox: typeof FORM;
  readonly version: string | number | undefined;
  /** Which tab. */
  readonly from: number;
  /** Its logical time. */
  readonly time: number;
  /** Logical time of the last reset that it knows of; 0 without one. */
  readonly generation: number;
  /** It was reset then, and tells it with this message. */
  readonly resets: boolean;
  /** `come`: it was just connected, and wants to hear where the others are. `go`: it is heard no more. */
  readonly greets: 'come' | 'go' | undefined;
  readonly news: readonly News[];
}

export type News =
  | { readonly request: ToldRequest }
  | { readonly commit: ToldCommit }
  | { readonly ended: readonly number[] }
  | { readonly handover: HandoverMessage };

/** Between a tab that opens and the tab that leads, where requests are shared. */
export type HandoverMessage =
  /** `leads`: this tab leads now. `wants`: it has opened. `more`: it has taken a slice. */
  | { readonly says: 'leads' | 'wants' | 'more' }
  | {
      readonly says: 'slice';
      readonly to: number;
      /** Logical time. */
      readonly at: number;
      readonly rows: readonly StoreRow[];
      readonly isLast: boolean;
    };

/** Of a mutation nothing but that it is on its way. */
export interface ToldRequest extends Pick<Issued, 'id' | 'at'> {
  readonly title: string;
  readonly read?: { readonly key: string; readonly schema: Term; readonly args: Args } | undefined;
}

export interface ToldCommit extends Pick<Commit, 'cause' | 'key' | 'ids' | 'at' | 'time'> {
  /** It was written after this logical time, in which nothing was there. */
  readonly since: number;
  readonly writes: readonly ToldWrite[];
}

/** Without a schema: whoever has something under the key knows what it is. */
export interface ToldWrite extends Pick<Write, 'key' | 'args' | 'value' | 'stamp'> {
  readonly schema?: Term | undefined;
  readonly by?: ToldEndpoint | undefined;
  /** In the place of what cannot be said: what is known under the key is out of date. */
  readonly unsaid?: true;
}

/** An endpoint: its name, or what a reader of its answer has to know of it. */
export type ToldEndpoint =
  | string
  | {
      readonly title: string;
      /** Of a page: the list to which it is added. */
      readonly list?:
        | { readonly key: string; readonly schema: Term; readonly args: Args }
        | undefined;
    };

/** True for a message of this form; whatever else goes over the channel is not ours. */
export function isTabMessage(data: unknown): data is TabMessage {
  return (data as Partial<TabMessage> | null | undefined)?.signalbox === FORM;
}

/** True for what another tab has stored: all of it is of the time before a reset that the tab has not heard of. */
export function isSlice(news: News): boolean {
  return 'handover' in news && news.handover.says === 'slice';
}
