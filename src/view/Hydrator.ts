/** The interface through which signalbox/ssr gives a controller's views the data that a server has sent. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import type { Args } from '../schema/schema.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Reader } from './Reader.ts';

/** A view of a request with readers. */
export interface HydratableView extends Reader {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
}

export interface Hydrator {
  /** Stores the data that the server sent for a request, when the first reader comes: the schema is unknown before. */
  hydrate(record: ResultRecord): void;
  /** Drops the data of keys that no reader has requested. */
  dropUnrequested(test: { testKey?(key: string): boolean }): void;
  /** A reader of the server's markup of a request; undefined if the markup shows the present data. */
  serverReader(view: HydratableView, place?: string): Reader | undefined;
}

/** The context of views. */
export interface ViewContext extends FetchContext {
  hydrator?: Hydrator | undefined;
  /** On a server: the key that each place rendered as pending; '' if the place had data. */
  pendingKeyByPlace?: Map<string, string> | undefined;
}
