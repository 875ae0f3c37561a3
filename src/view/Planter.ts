/** Where readers meet what a server sent ahead: signalbox/ssr lends it to a controller. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { deskOf } from '../fetch/Desk.ts';
import type { Desk } from '../fetch/Desk.ts';
import type { Args } from '../schema/schema.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Reader } from './Reader.ts';

/** A request that somebody reads. */
export interface Planted extends Reader {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
}

export interface Planter {
  /** Stores what was sent of a request, when somebody first asks for it: only then its schema is known. */
  plant(record: ResultRecord): void;
  /** Drops what was sent and nobody has asked for. */
  forget(test: { testKey?(key: string): boolean }): void;
  /** A reader of what the server has drawn of a request, where that is not what is known now. */
  served(view: Planted, place?: string): Reader | undefined;
}

/** What views are lent. */
export interface Ground extends Desk {
  planter?: Planter | undefined;
  /** On a server: the key of what each place has drawn as pending; '' where it had data. */
  blanks?: Map<string, string> | undefined;
}

/** What a controller's views are lent. */
export function groundOf(controller: object): Ground {
  return deskOf(controller);
}
