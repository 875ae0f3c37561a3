/** Messages that wait to be received: messages that arrive together share a commit, and each is atomic. */
import { nextMicrotask } from '../clock.ts';
import type { Controller } from '../Controller.ts';
import { anyOf } from '../request/Events.ts';
import { batchCommits, reportCommit } from '../request/commit.ts';
import { addTransport, contextOf } from '../request/FetchContext.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import { MessageTransaction } from '../sync/MessageTransaction.ts';
import type { MessageBatch, MessageHeader } from '../sync/MessageTransaction.ts';
import type { StreamOptions } from '../sync/StreamOptions.ts';
import type { ErrorReporter } from './Connection.ts';

interface Message extends MessageHeader {
  readonly data: unknown;
}

const listenersByContext = new WeakMap<FetchContext, Set<() => void>>();

/** The functions called before each response is written. A single transport serves all streams of a controller. */
function responseListeners(context: FetchContext): Set<() => void> {
  const known = listenersByContext.get(context);
  if (known !== undefined) return known;
  const listeners = new Set<() => void>();
  listenersByContext.set(context, listeners);
  addTransport(context, (below) => async (...call) => {
    try {
      return await below(...call);
    } finally {
      for (const flush of listeners) flush();
    }
  });
  return listeners;
}

/*
 *   time →   message  message  request is sent  response
 *            tick 4   tick 5   (soon: written)  issued at 6: newer than both
 *
 * A message has the logical time of the receipt, however long the message waits. Waiting messages are written before
 * responses to later requests, so no list gets old memberships after newer ones; and before every response, so a mutation
 * in flight is compared with the messages that arrived meanwhile.
 */
export class MessageBatcher {
  readonly #controller: Controller;
  // any: only the receiver knows the type of messages
  readonly #options: StreamOptions<any>;
  readonly #reportError: ErrorReporter;
  #waiting: Message[] = [];
  #timer: unknown;
  /** Counts resets: messages received before the last reset are dropped. */
  #resets = 0;
  #isClosed = false;
  readonly #stops: readonly (() => void)[];

  // any: as above
  constructor(controller: Controller, options: StreamOptions<any>, reportError: ErrorReporter) {
    this.#controller = controller;
    this.#options = options;
    this.#reportError = reportError;
    const stopListening = controller.on('request', () => {
      // a request may be sent while a component renders, when no signal may be written
      if (this.#waiting.length > 0) void nextMicrotask(() => this.#flush());
    });
    // the response to a mutation must find the messages that arrived before
    const listeners = responseListeners(contextOf(controller));
    const flush = () => this.#flush();
    listeners.add(flush);
    this.#stops = [stopListening, () => listeners.delete(flush)];
  }

  add(type: string, data: unknown, lastEventId: string): void {
    const { store, clock } = contextOf(this.#controller);
    this.#waiting.push({ type, data, lastEventId, time: store.tick() });
    this.#timer ??= clock.after(this.#options.batch ?? 0, () => this.#flush());
  }

  /** The store was reset. */
  reset(): void {
    this.#resets++;
    this.#drop();
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    this.#drop();
  }

  /** Drops the waiting messages. */
  #drop(): void {
    this.#waiting = [];
    contextOf(this.#controller).clock.clear(this.#timer);
    this.#timer = undefined;
  }

  #flush(): void {
    const context = contextOf(this.#controller);
    const messages = this.#waiting.splice(0);
    context.clock.clear(this.#timer);
    this.#timer = undefined;
    if (messages.length === 0) return;
    const resets = this.#resets;
    const isCurrent = () => resets === this.#resets && !this.#isClosed;
    const batch: MessageBatch = {
      writes: [],
      invalid: new Set(),
      expired: new Set(),
      keys: new Map(),
    };
    const written = batchCommits(context.store, () => {
      for (const message of messages) if (isCurrent()) this.#receive(message, batch, isCurrent);
    });
    // the store was reset meanwhile
    if (resets !== this.#resets) return;
    const { writes } = batch;
    const { time } = context.store;
    if (writes.length > 0)
      reportCommit(context, { cause: 'set', time, written }, { eventWrites: writes });
    invalidateMarked(this.#controller, batch);
  }

  #receive(message: Message, batch: MessageBatch, isCurrent: () => boolean): void {
    const { type } = message;
    const options = this.#options;
    let content: unknown;
    try {
      const { data } = message;
      content = options.parse === undefined ? parseJson(data) : options.parse(data, type);
    } catch (error) {
      return this.#reportError('L1', { type, value: message.data, reason: error }, error);
    }
    if (content === undefined) return;
    const resets = this.#resets;
    const transaction = new MessageTransaction(this.#controller, message, isCurrent);
    const reportError = (error: unknown) =>
      this.#reportError('L2', { type: typeOf(content) ?? type, reason: error }, error);
    try {
      const outcome = options.receive(content, transaction);
      if (outcome instanceof Promise) outcome.catch(reportError);
      // a message that closes the stream is the last message; a message may also log the user out
      if (resets === this.#resets) transaction.write(batch);
      else transaction.discard();
    } catch (error) {
      transaction.discard();
      reportError(error);
    }
  }
}

function parseJson(data: unknown): unknown {
  return typeof data === 'string' ? JSON.parse(data) : data;
}

/** The type of a message is often a member of the content. */
function typeOf(content: unknown): string | undefined {
  const { type } = (content ?? {}) as { type?: unknown };
  return typeof type === 'string' ? type : undefined;
}

/** Invalidates and expires each key or test once, also if several messages named the same key or test. */
function invalidateMarked(controller: Controller, { keys, invalid, expired }: MessageBatch): void {
  for (const invalidate of keys.values()) invalidate();
  if (invalid.size > 0) controller.invalidateAll(anyOf(invalid));
  if (expired.size > 0) controller.expireAll(anyOf(expired));
}
