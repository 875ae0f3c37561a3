/** A message that is being received: all writes are staged, and written when the message is complete. */
import { StagedWrite } from '../store/StorePort.ts';
import type { ArgsOf, Controller } from '../Controller.ts';
import type { KeyTest } from '../request/Events.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { refuseMutation } from '../endpoint/argumentChecks.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { Write } from '../request/Events.ts';
import { readForUpdate, resolveSetValue, put } from '../request/put.ts';
import { createSetStamp } from '../request/responseStamp.ts';
import type { Args, Denormalized, Schema } from '../schema/schema.ts';

/** The methods with which `receive` writes a message. Destructuring is safe: no method needs the object. */
export interface StreamSteps {
  /** The type of the message: the name of a server-sent event, else `message`. */
  readonly type: string;
  /** The id of the last event so far, of an event source; else `''`. */
  readonly lastEventId: string;
  /**
   * Like `controller.set`, with the time at which the message was received. Throws at once if the value is invalid. A
   * function gets the confirmed value, without the other steps of this message.
   */
  readonly set: {
    <S extends Schema>(
      schema: S,
      ...rest: readonly [...Args, (previous: Denormalized<S>) => unknown]
    ): void;
    (schema: Schema, ...rest: readonly [...Args, unknown]): void;
  };
  /** Like the methods of the controller, applied after the writes of all messages of the same batch. */
  readonly invalidate: <E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>) => void;
  readonly invalidateAll: Controller['invalidateAll'];
  readonly expireAll: Controller['expireAll'];
}

/** The properties of a message besides the data. */
export interface MessageHeader {
  readonly type: string;
  readonly lastEventId: string;
  /** Logical time of the receipt. */
  readonly time: number;
}

/** The effects of all messages of a batch. */
export interface MessageBatch {
  readonly writes: Write[];
  /** Reads to refetch: by endpoint, and by key. */
  readonly invalid: Set<KeyTest>;
  readonly expired: Set<KeyTest>;
  readonly keys: Map<string, () => void>;
}

export class MessageTransaction implements StreamSteps {
  readonly type: string;
  readonly lastEventId: string;
  readonly #controller: Controller;
  readonly #time: number;
  #isCurrent: () => boolean;
  /** Undefined once the message is written: later steps are executed at once. */
  #staged: { readonly staged: StagedWrite; readonly write: Write }[] | undefined = [];
  #marks: ((batch: MessageBatch) => void)[] = [];

  /** `isCurrent` becomes false with a reset and with the stream's end. */
  constructor(controller: Controller, heading: MessageHeader, isCurrent: () => boolean) {
    this.#controller = controller;
    this.type = heading.type;
    this.lastEventId = heading.lastEventId;
    this.#time = heading.time;
    this.#isCurrent = isCurrent;
  }

  readonly set = (schema: Schema, ...args: unknown[]): void => {
    const update = args.pop();
    if (!this.#isCurrent()) return;
    const context = contextOf(this.#controller);
    if (this.#staged === undefined) return put(context, schema, args, update);
    const { store } = context;
    const value = resolveSetValue(schema, args, update, () => readForUpdate(store, schema, args));
    const stamp = createSetStamp(context, update, this.#time);
    const write = { endpoint: undefined, schema, args, value, stamp };
    this.#staged.push({ staged: new StagedWrite(store, write), write });
  };

  readonly invalidate = <E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): void => {
    if (args[0] === null) return;
    refuseMutation(endpoint);
    const mark = () => this.#controller.invalidate(endpoint, ...args);
    this.#mark(({ keys }) => keys.set(endpoint.key(...args), mark), mark);
  };

  readonly invalidateAll = (test: KeyTest): void => {
    checkTest(test);
    this.#mark(
      ({ invalid }) => invalid.add(test),
      () => this.#controller.invalidateAll(test),
    );
  };

  readonly expireAll = (test: KeyTest): void => {
    checkTest(test);
    this.#mark(
      ({ expired }) => expired.add(test),
      () => this.#controller.expireAll(test),
    );
  };

  #mark(later: (batch: MessageBatch) => void, now: () => void): void {
    if (!this.#isCurrent()) return;
    if (this.#staged === undefined) now();
    else this.#marks.push(later);
  }

  /** Writes the complete message. */
  write(batch: MessageBatch): void {
    const staged = this.#staged ?? [];
    this.#staged = undefined;
    const { store } = contextOf(this.#controller);
    for (const { staged: stagedWrite, write } of staged) {
      store.commit(() => stagedWrite.write());
      batch.writes.push(write);
    }
    for (const mark of this.#marks) mark(batch);
  }

  /** Discards the message: the store is unchanged, and later steps are ignored. */
  discard(): void {
    discard(this.#staged ?? []);
    this.#isCurrent = () => false;
  }
}

/** Calls the test once, so that an error is thrown for this message and not after the commit of the batch. */
function checkTest(test: KeyTest): void {
  test.testKey?.('');
}

function discard(all: readonly { readonly staged: StagedWrite }[]): void {
  for (const { staged } of all) staged.discard();
}
