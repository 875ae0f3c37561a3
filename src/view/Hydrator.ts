/** Where readers meet what a server sent ahead: signalbox/ssr lends it to a controller. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import type { FetchContext } from '../fetch/FetchContext.ts';
import type { Args } from '../schema/schema.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Reader } from './Reader.ts';

/** A request that somebody reads. */
export interface HydratableView extends Reader {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
}

export interface Hydrator {
  /** Stores what was sent of a request, when somebody first asks for it: only then its schema is known. */
  hydrate(record: ResultRecord): void;
  /** Drops what was sent and nobody has asked for. */
  forget(test: { testKey?(key: string): boolean }): void;
  /** A reader of what the server has drawn of a request, where that is not what is known now. */
  served(view: HydratableView, place?: string): Reader | undefined;
}

/** What views are lent. */
export interface ViewContext extends FetchContext {
  hydrator?: Hydrator | undefined;
  /** On a server: the key of what each place has drawn as pending; '' where it had data. */
  pendingPlaces?: Map<string, string> | undefined;
}

/** What a controller's views are lent. */
export function viewContextOf(controller: object): ViewContext {
  return contextOf(controller);
}
