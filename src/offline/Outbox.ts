/** Between a controller and the network: named mutations wait here until sent. */
import type { Controller } from '../Controller.ts';
import { isAbort } from '../endpoint/Endpoint.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { titleOf } from '../endpoint/argumentChecks.ts';
import { ResetError, SignalboxError, warn } from '../errors.ts';
import type { Layer } from '../optimistic/Layer.ts';
import { layersOf } from '../optimistic/Layers.ts';
import { installOptimistic } from '../optimistic/optimistic.ts';
import { Emitter } from '../request/Events.ts';
import type { Issued } from '../request/Events.ts';
import { addGate, addTransport, contextOf } from '../request/FetchContext.ts';
import type { FetchContext, FetchMiddleware } from '../request/FetchContext.ts';
import { run } from '../request/InFlightRequest.ts';
import type { InFlightRequest } from '../request/InFlightRequest.ts';
import { commit, requestEvent } from '../request/commit.ts';
import type { Args } from '../schema/schema.ts';
import { keysIn } from '../schema/toPk.ts';
import type { Registry } from '../sync/Registry.ts';
import { tabResets } from '../sync/TabResets.ts';
import { EntityVersions } from './EntityVersions.ts';
import { randomText, toLogged } from './LogEntry.ts';
import type { LogEntry } from './LogEntry.ts';
import { cancelReason } from './MutationLog.ts';
import type { MutationLog } from './MutationLog.ts';
import { QueueRunner } from './QueueRunner.ts';
import { QueuedMutation, QueuedMutations } from './QueuedMutations.ts';
import type { QueueEvents } from './QueuedMutations.ts';
import type { QueueDeps, QueueHost } from './Sender.ts';
import { mutationNamed, queueIdOf } from './queueIdOf.ts';

type OutboxDeps = Omit<QueueDeps, 'context' | 'send'>;

/*
 *   issued, rendered ──► written to the log ──► head of the queue, and a network ─► sent ──► response, committed
 *                                                ▲                                     │          │
 *                                                └──── no response, or one that ───────┘          ▼
 *                                                      may be another the next time        removed from the log
 *
 * The caller's promise is pending all the time, as if the network were slow: the unsent request waits at the point
 * where requests wait for the primary keys of created entities. When the mutation is sent, the result of the runner is
 * the response.
 */
export class Outbox implements QueueHost {
  readonly mutations: QueuedMutations = new QueuedMutations((entry) => this.#runner.isHeld(entry));
  readonly events: Emitter<QueueEvents> = new Emitter();
  readonly versions: EntityVersions;
  readonly #context: FetchContext;
  readonly #registry: Registry;
  readonly #deps: QueueDeps;
  /** A new runner after each reset. */
  #runner: QueueRunner;
  /** Named mutations, by their arguments: each call has a separate array. */
  readonly #issued = new WeakMap<Args, Issued>();
  /** The ETag of the version that the user saw. */
  readonly #etags = new WeakMap<Args, string | undefined>();
  /** Mutations read from the log. */
  readonly #logged = new WeakMap<Args, LogEntry>();
  readonly #responses = new WeakMap<Args, { readonly value: unknown }>();
  /** How many mutations are being logged that are sent at once. */
  #addedNext = 0;
  readonly #stops: readonly (() => void)[];
  readonly #stopListening: () => void;

  constructor(controller: Controller, registry: Registry, deps: OutboxDeps) {
    const context = (this.#context = contextOf(controller));
    // mutations that wait are shown, and wait for the keys of those before
    installOptimistic(context);
    // mutations of the log are sent below this transport
    const { send } = context;
    this.#registry = registry;
    this.#deps = { ...deps, context: this.#context, send };
    this.versions = new EntityVersions({ ...this.#deps, registry });
    this.#runner = new QueueRunner(this.#deps, this);
    deps.log.onMove = (ids) => this.mutations.move(ids);
    this.#stops = [
      addTransport(
        context,
        (below) =>
          (...call) =>
            this.#responseTo(call) ?? below(...call),
      ),
      addGate(context, (request, ready) => this.#admit(request, ready)),
      ...this.#listen(controller),
    ];
    // also after `stop`: the promises of a session end with the session
    this.#stopListening = controller.on('reset', () => this.#onReset());
  }

  #listen(controller: Controller): readonly (() => void)[] {
    return [
      controller.on('request', (issued) => this.#onRequest(issued)),
      controller.on('commit', ({ cause, key, ids, replayed }) => {
        if (cause !== 'answer') return;
        if (replayed) this.#onSentElsewhere(key);
        else for (const id of ids) this.mutations.end(id);
      }),
      controller.on('error', ({ id }) => void this.mutations.end(id)),
      controller.on('abort', ({ id, reason }) => {
        const mutation = this.mutations.end(id);
        // if the disk fails now, the runner removes the entry later
        if (mutation !== undefined) this.#remove(mutation, reason).catch(() => {});
      }),
      this.#context.surroundings.listen((what) => {
        this.#runner.breakers.resetHeld();
        void this.send(what === 'reconnect');
      }),
    ];
  }

  /** Another tab has the response to a mutation with this key: that tab holds the queue until the log has the result. */
  #onSentElsewhere(key: string | undefined): void {
    for (const { entry, issued } of this.mutations.persisted)
      if (issued.key === key) void this.#runner.drain(entry.queue);
  }

  /** Renders the mutations of the log, and begins to send. */
  async begin(): Promise<void> {
    const runner = this.#runner;
    const reading = readLog(this.#deps, this.events);
    const adopted = this.adopt(reading).catch(() => {});
    try {
      const entries = await reading;
      // a reset may have emptied the log meanwhile; a stopped queue no longer receives the requests
      if (!runner.isStopped) for (const entry of entries) this.mutationFor(entry);
    } catch (reason) {
      warn('O2', '', { endpoint: this.#deps.name, reason });
    }
    void this.send(true);
    await adopted;
  }

  /** Logs and renders the mutations of pages that were left. */
  adopt(after?: Promise<unknown>): Promise<void> {
    const runner = this.#runner;
    return this.#deps.leftDrafts.adopt(async (draft) => {
      const entry = await this.#deps.log.adopt(draft);
      if (entry !== undefined && !runner.isStopped) this.mutationFor(entry);
    }, after);
  }

  /** Sends the mutations that are due; `eager`: including mutations that pause. Resolves as `drainAll` does. */
  send(eager: boolean): Promise<void> {
    return this.#runner.drainAll(eager);
  }

  discard(id: number): Promise<void> {
    const mutation = this.mutations.byId(id);
    return mutation ? this.onDiscarded(mutation) : this.#deps.log.removeAside(id);
  }

  stop(): void {
    this.#runner.stop(false);
    this.#detach();
  }

  /** `next` renders and sends the mutations of the log. */
  replaceBy(next: Outbox): void {
    const { log, name } = this.#deps;
    if (next.#deps.name === name) next.#deps.log.replace(log);
    this.stop();
    this.#endAll();
  }

  #endAll(): void {
    this.mutations.clear(new ResetError({ key: this.#deps.name }));
  }

  #detach(): void {
    this.#deps.leftDrafts.stop();
    for (const stop of this.#stops) stop();
    this.mutations.detach();
  }

  #onRequest(issued: Issued): void {
    const { read, endpoint, args } = issued;
    if (read || this.#registry.nameOf(endpoint) === undefined) return;
    this.#issued.set(args, issued);
    this.#etags.set(args, this.versions.of(issued));
  }

  /** The response of a mutation that was sent from the log. */
  #responseTo([, args]: Parameters<FetchMiddleware>): Promise<unknown> | undefined {
    const response = this.#responses.get(args);
    return response && Promise.resolve(response.value);
  }

  /** A named mutation is sent once the queue has the response; every other request is sent when ready. */
  #admit(request: InFlightRequest, ready: Promise<Args> | undefined): Promise<Args> | undefined {
    const issued = this.#issued.get(request.args);
    const isInFlight = this.#context.inflight.allRequests.has(request);
    // a transaction is confirmed as a unit, which a log of single mutations cannot guarantee
    if (issued === undefined || !isInFlight || request.holder !== undefined) return ready;
    return this.#enqueue(request, issued, ready);
  }

  /** The arguments with the server's keys; undefined without temporary keys. */
  #resolveArgs(args: Args): Promise<Args> | undefined {
    return this.#context.tempIds?.resolveArgs(args);
  }

  /** Resolves with the arguments once the server has responded; rejects with the error of a refusal. */
  async #enqueue(request: InFlightRequest, issued: Issued, ready?: Promise<Args>): Promise<Args> {
    const { args } = issued;
    const logged = this.#logged.get(args);
    const mutation = new QueuedMutation(issued, logged?.idempotencyKey ?? randomText());
    const callerKeys = keysIn(args);
    const layer = request.layer as Layer | undefined;
    const createdKeys = layer?.createdEntities.map(({ pk }) => pk) ?? [];
    // a key given by the caller is also the server's key
    mutation.createdIds = createdKeys.filter((pk) => !callerKeys.includes(pk));
    mutation.cancel = () => cancelRequest(request);
    mutation.rerender = (revised) => renderOptimistic(this.#context, request, revised);
    mutation.markSent = () => request.noteSent();
    mutation.isAwaited = logged === undefined;
    if (logged !== undefined) mutation.syncFrom(logged);
    if (logged?.attempts) mutation.markSent();
    mutation.logged = logged === undefined ? this.#log(mutation, ready) : Promise.resolve(logged);
    this.mutations.add(mutation);
    ready?.catch((error: unknown) => mutation.resolve({ error }));
    const entry = await mutation.logged;
    if (entry === undefined) {
      this.mutations.forget(mutation);
      const known = (await ready) ?? args;
      // the disk may be full: earlier mutations of the entity are in the log
      await this.mutations.allEnded(queueIdOf(this.#registry, issued.endpoint, known));
      return known;
    }
    // the mutation may have been sent since
    if (mutation.entry === undefined) mutation.syncFrom(entry);
    this.mutations.changed();
    this.#runner.drainInTurn(entry);
    const result = await mutation.result;
    if ('error' in result) throw result.error;
    // if another page has sent the mutation, the temporary keys of this page are known only here
    const resolved = await this.#resolveArgs(mutation.args)?.catch(() => undefined);
    const sentArgs = [...(resolved ?? mutation.args)];
    this.#responses.set(sentArgs, result);
    return sentArgs;
  }

  /** Writes a mutation to the log. Resolves with undefined if that fails: the mutation is sent without the log. */
  async #log(mutation: QueuedMutation, ready?: Promise<Args>): Promise<LogEntry | undefined> {
    const { idempotencyKey, issued } = mutation;
    const { endpoint, at: since } = issued;
    const isTemp = (key: string) => {
      const serverKey = this.#resolveArgs([key]);
      serverKey?.catch(() => {});
      return serverKey !== undefined;
    };
    try {
      const references = ready && (await this.mutations.tempIdsIn(issued.args, isTemp));
      const args = ready && !references ? await ready.catch(() => undefined) : issued.args;
      // if the creation has failed, the caller gets that error; a queue stopped by a log out elsewhere keeps the mutation
      if (args === undefined || (mutation.settled && !this.#runner.isStopped)) return undefined;
      mutation.args = args;
      const name = this.#registry.nameOf(endpoint) as string;
      mutation.tempIds = references?.length ?? 0;
      const { log, leftDrafts } = this.#deps;
      const etag = this.#etags.get(issued.args);
      const tempIds = references ?? [];
      const draft = log.draft({ name, args, idempotencyKey, since, tempIds }, etag);
      const isNext = this.#runner.canSend(draft, this.#addedNext);
      if (isNext) this.#addedNext++;
      leftDrafts.add(draft);
      const added = log.add(draft, etag, isNext, {
        isOver: () => mutation.settled,
        mayBeLogged: () => leftDrafts.mayBeLogged(draft),
      });
      const entry = await added.finally(() => {
        leftDrafts.delete(draft);
        if (isNext) this.#addedNext--;
      });
      // another page knows that the creation was refused: this page looks up the result
      if (entry === undefined) void this.send(false);
      return entry;
    } catch (reason) {
      warn('O2', titleOf(endpoint), { endpoint: titleOf(endpoint), reason });
      return undefined;
    }
  }

  endpointOf({ name }: Pick<LogEntry, 'name'>): EndpointInterface | undefined {
    return mutationNamed(this.#registry, name);
  }

  mutationFor(entry: LogEntry): QueuedMutation | undefined {
    const known = this.mutations.byKey(entry.idempotencyKey);
    if (known !== undefined) return known;
    const endpoint = this.endpointOf(entry);
    if (endpoint === undefined) return undefined;
    // a separate array, as key of the map
    const args = [...this.mutations.toLocalArgs(entry.args, entry.tempIds)];
    this.#logged.set(args, entry);
    const issued = this.mutations.issueTimeOf(entry.id);
    runLogged(this.#context, { endpoint, args, issued, id: entry.id });
    return this.mutations.byKey(entry.idempotencyKey);
  }

  async serverKeysOf({ createdIds }: QueuedMutation): Promise<readonly unknown[]> {
    if (createdIds.length === 0) return [];
    return (await this.#resolveArgs(createdIds)?.catch(() => undefined)) ?? [];
  }

  onDiscarded(mutation: QueuedMutation): Promise<void> {
    const { endpoint, key } = mutation.issued;
    return this.#remove(
      mutation,
      new SignalboxError('O5', {}, { endpoint: titleOf(endpoint), key }),
    );
  }

  /** Rejects the promise of a mutation that no caller needs any more, and removes the entry from the log. */
  async #remove(mutation: QueuedMutation, error: unknown): Promise<void> {
    mutation.resolve({ error });
    mutation.abortController.abort(error);
    const entry = await mutation.logged;
    if (entry === undefined) return;
    await mutation.ended;
    await this.#deps.log.settle(mutation.entry ?? entry, { result: { error }, keys: [] });
    this.mutations.forget(mutation);
  }

  /** The tab in which a log out begins decides about the log: a replayed reset only stops the queue. */
  #onReset(): void {
    const { log, leftDrafts } = this.#deps;
    const isReplayed = tabResets.get(this.#context.store)?.isRepeating === true;
    const { isStopped } = this.#runner;
    // a queue that was stopped before may still remove a mutation whose caller has the result
    if (!isStopped) this.#runner.stop(true);
    if (isReplayed) this.#detach();
    this.#endAll();
    if (isStopped || isReplayed) return this.#stopListening();
    this.#runner = new QueueRunner(this.#deps, this);
    const cleared = Promise.all([log.clear(), leftDrafts.clear()]);
    cleared.catch((reason: unknown) => warn('O2', '', { endpoint: this.#deps.name, reason }));
    void this.send(false);
  }
}

/** Renders the optimistic response to these arguments. */
function renderOptimistic(context: FetchContext, request: InFlightRequest, args: Args): void {
  request.args = args;
  const { layer } = request;
  if (layer === undefined) return;
  const { store } = context;
  const change = () => layersOf(store).rebaseLater(layer as Layer);
  commit(context, 'optimistic', change, { causedBy: request });
}

/** A mutation from the log. The request has no caller, since the issuing page was closed. */
interface LoggedMutation {
  /** The id of the entry in the log. */
  readonly id: number;
  readonly endpoint: EndpointInterface;
  readonly args: Args;
  /** Logical time; undefined: now. */
  readonly issued: number | undefined;
}

/** Issues the request. A refusal is a warning, O4, since no caller gets the error. */
function runLogged(context: FetchContext, { id, endpoint, args, issued }: LoggedMutation): void {
  const options = { endpointSignal: null, issued, isBackground: true };
  run(context, endpoint, args, options).catch((reason: unknown) => {
    const isExpected = reason instanceof SignalboxError && ['F3', 'O5'].includes(reason.code);
    if (!isExpected && !isAbort(reason))
      warn('O4', `${id}`, { endpoint: titleOf(endpoint), reason });
  });
}

/**
 * Returns the entries to send, in the order of issue. An entry that is dropped or set aside, or cannot be decoded,
 * emits an event, and a warning.
 */
async function readLog(
  { log, name }: { readonly log: MutationLog; readonly name: string },
  events: Emitter<QueueEvents>,
): Promise<readonly LogEntry[]> {
  const { entries, dropped, aside, undecoded } = await log.read();
  for (const { entry, value, reason } of dropped) {
    warn('O1', reason, { log: name, reason });
    events.emit('drop', () => ({ mutation: entry && toLogged(entry), reason, value }));
  }
  for (const { entry, reason } of aside) {
    if (entry === undefined) continue;
    warn('O3', `${entry.name} ${reason}`, { name: entry.name, reason });
    events.emit('aside', () => ({ mutation: toLogged(entry), reason }));
  }
  const [reason] = undecoded;
  if (undecoded.length > 0) {
    warn('O7', String(reason), { log: name, count: undecoded.length, reason });
    events.emit('undecoded', () => ({ count: undecoded.length, reason }));
  }
  return entries;
}

/** Ends the request as if aborted. A deletion resolves: the entity does not exist. */
function cancelRequest(request: InFlightRequest): void {
  const { context } = request;
  const reason = cancelReason();
  const { method } = request.endpoint as { readonly method?: string };
  request.settle(() => {
    context.optimistic?.rollback(request, reason);
    context.events?.emit('abort', () => ({ ...requestEvent(request), reason }));
    if (method?.toUpperCase() === 'DELETE') return undefined;
    throw reason;
  });
}
