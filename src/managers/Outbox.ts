/** Between a controller and the network: mutations that have a name wait here until they have been sent. */
import type { Controller } from '../Controller.ts';
import { ResetError, SignalboxError, warn } from '../diagnostics.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import type { Creations } from '../fetch/Creations.ts';
import { deskOf } from '../fetch/Desk.ts';
import type { Desk, Send } from '../fetch/Desk.ts';
import type { Issued } from '../fetch/Events.ts';
import type { InFlightRequest } from '../fetch/InFlightRequest.ts';
import { isAbort } from '../endpoint/isAbort.ts';
import { run } from '../fetch/run.ts';
import { keysIn } from '../schema/swapKeys.ts';
import type { Args } from '../schema/schema.ts';
import { Courier } from './Courier.ts';
import type { Senders, Tools } from './Courier.ts';
import type { Entry } from './Entry.ts';
import { mutationNamed } from './queueOf.ts';
import { newKey } from './newKey.ts';
import type { Registry } from './Registry.ts';
import { Waiting } from './Waiting.ts';
import { Waitings } from './Waitings.ts';

/** Where the desk asks for the server's keys. */
type Naming = Pick<Creations, 'begin' | 'real'>;

/*
 *   issued, shown ──► written to the log ──► its turn in its line, and a network ──► sent ──► answered, committed
 *                                             ▲                                       │           │
 *                                             └────────── no answer that counts ──────┘           ▼
 *                                                                                       out of the log
 *
 * Its caller's promise is pending all the time, as if the network were slow: it waits where a request waits for the
 * primary keys that it names, before it leaves. What leaves then is answered by what the courier has brought.
 */
export class Outbox implements Senders {
  readonly waitings: Waitings = new Waitings();
  readonly #desk: Desk;
  readonly #registry: Registry;
  readonly #tools: Tools;
  readonly #creations: Naming;
  /** One for each time between two resets. */
  #courier: Courier;
  /** Mutations that have a name, by their arguments: each call has an array of its own. */
  readonly #issued = new WeakMap<Args, Issued>();
  /** Those that the log had before. */
  readonly #logged = new WeakMap<Args, Entry>();
  readonly #answers = new WeakMap<Args, { readonly value: unknown }>();
  readonly #stops: readonly (() => void)[];

  constructor(controller: Controller, registry: Registry, tools: Omit<Tools, 'desk' | 'send'>) {
    const desk = deskOf(controller);
    const place = desk as unknown as { send: Send; creations: Naming };
    const { send, creations } = place;
    this.#desk = desk;
    this.#registry = registry;
    this.#creations = creations;
    this.#tools = { ...tools, desk, send };
    this.#courier = new Courier(this.#tools, this);
    const own: Send = (endpoint, args, leave) => {
      const answer = this.#answers.get(args);
      return answer === undefined ? send(endpoint, args, leave) : Promise.resolve(answer.value);
    };
    const leave = () => {
      // who came later has it, and hands on what is not its own
      if (place.send === own) place.send = send;
      place.creations = creations;
    };
    place.send = own;
    place.creations = {
      begin: (made, args) => creations.begin(made, args),
      real: (args) => this.#real(args),
    };
    this.#stops = [leave, ...this.#listen(controller)];
  }

  #listen(controller: Controller): readonly (() => void)[] {
    return [
      controller.on('request', (issued) => this.#note(issued)),
      controller.on('commit', ({ cause, ids, replayed }) => {
        if (cause === 'answer' && !replayed) for (const id of ids) this.waitings.end(id);
      }),
      controller.on('error', ({ id }) => void this.waitings.end(id)),
      controller.on('abort', ({ id, reason }) => {
        const waiting = this.waitings.end(id);
        // where the disk fails now, the courier takes it out when it comes to it
        if (waiting !== undefined) this.#takeOut(waiting, reason).catch(() => {});
      }),
      controller.on('reset', () => this.#reset()),
      this.#desk.surroundings.listen((what) => this.send(what === 'reconnect')),
    ];
  }

  /** Shows what the log holds, and begins to send. */
  async begin(): Promise<void> {
    const courier = this.#courier;
    try {
      const { entries, dropped, aside } = await this.#tools.log.read();
      for (const reason of dropped) warn('O1', reason, { log: this.#tools.name, reason });
      for (const name of aside) warn('O3', name, { name });
      // a reset has emptied it meanwhile
      const present = courier === this.#courier ? entries : [];
      for (const entry of present) this.waitingFor(entry);
    } catch (reason) {
      warn('O2', '', { endpoint: this.#tools.name, reason });
    }
    this.send(true);
  }

  /** Sends what is due; `eager`: also what is to wait. */
  send(eager: boolean): void {
    void this.#courier.all(eager);
  }

  async discard(id: number): Promise<void> {
    const waiting = this.waitings.at(id);
    if (waiting !== undefined) await this.discarded(waiting);
  }

  stop(): void {
    this.#courier.stop();
    for (const stop of this.#stops) stop();
  }

  #note(issued: Issued): void {
    const { read, endpoint, args } = issued;
    if (!read && this.#registry.nameOf(endpoint) !== undefined) this.#issued.set(args, issued);
  }

  #real(args: Args): Promise<Args> | undefined {
    const named = this.#creations.real(args);
    const issued = this.#issued.get(args);
    if (issued === undefined) return named;
    const asked = [...this.#desk.inflight.flights].find((one) => one.issued === issued.id);
    // a transaction is confirmed as one, which no log can promise
    if (asked === undefined || asked.holder !== undefined) return named;
    return this.#hold(asked, issued, named);
  }

  /** Gives what it is sent with once it has been answered; rejects with why it was refused. */
  async #hold({ layer }: InFlightRequest, issued: Issued, named?: Promise<Args>): Promise<Args> {
    const { args } = issued;
    const logged = this.#logged.get(args);
    const waiting = new Waiting(issued, logged?.idempotencyKey ?? newKey());
    const given = keysIn(args);
    const made = layer?.made.map(({ pk }) => pk) ?? [];
    // a key that the caller gave is the server's, too
    waiting.made = made.filter((pk) => !given.includes(pk));
    if (logged !== undefined) waiting.meet(logged);
    waiting.logged = logged === undefined ? this.#write(waiting, named) : Promise.resolve(logged);
    this.waitings.add(waiting);
    named?.catch((error: unknown) => waiting.tell({ error }));
    const entry = await waiting.logged;
    if (entry === undefined) {
      this.waitings.forget(waiting);
      return named ?? args;
    }
    // it may have been sent since
    if (waiting.entry === undefined) waiting.meet(entry);
    this.waitings.changed();
    void this.#courier.line(entry.line);
    const outcome = await waiting.outcome;
    if ('error' in outcome) throw outcome.error;
    // where another page has sent it, only this one knows its own temporary keys
    const swapped = await this.#creations.real(waiting.args)?.catch(() => undefined);
    const real = [...(swapped ?? waiting.args)];
    this.#answers.set(real, outcome);
    return real;
  }

  /** Gives undefined where it cannot be in the log: it is sent without. */
  async #write(waiting: Waiting, named?: Promise<Args>): Promise<Entry | undefined> {
    const { idempotencyKey, issued } = waiting;
    const { endpoint, at: since } = issued;
    const isTemporary = (key: string) => {
      const real = this.#creations.real([key]);
      real?.catch(() => {});
      return real !== undefined;
    };
    try {
      const unnamed = named && (await this.waitings.unnamedIn(issued.args, isTemporary));
      if (named !== undefined && unnamed === undefined) waiting.args = await named;
      if (waiting.over) return undefined;
      const name = this.#registry.nameOf(endpoint) as string;
      waiting.unnamed = unnamed?.length ?? 0;
      const draft = { name, args: waiting.args, idempotencyKey, since, unnamed: unnamed ?? [] };
      const entry = await this.#tools.log.add({ ...draft, attempts: 0, after: 0 });
      // another page knows that its creation was refused: so will this one
      if (entry === undefined) this.send(false);
      return entry;
    } catch (reason) {
      warn('O2', titleOf(endpoint), { endpoint: titleOf(endpoint), reason });
      return undefined;
    }
  }

  waitingFor(entry: Entry): Waiting | undefined {
    const known = this.waitings.of(entry.idempotencyKey);
    if (known !== undefined) return known;
    const endpoint = mutationNamed(this.#registry, entry.name);
    if (endpoint === undefined) return undefined;
    // an array of its own, by which it is known again
    const args = this.waitings.here(entry.args, entry.unnamed);
    this.#logged.set(args, entry);
    const issued = this.waitings.timeOf(entry.id);
    run(this.#desk, endpoint, args, { signal: null, issued }).catch((reason: unknown) => {
      const own = reason instanceof SignalboxError && ['F3', 'O5'].includes(reason.code);
      // nobody else hears of it: its caller went with its page
      if (!own && !isAbort(reason))
        warn('O4', `${entry.id}`, { endpoint: titleOf(endpoint), reason });
    });
    return this.waitings.of(entry.idempotencyKey);
  }

  async keysOf({ made }: Waiting): Promise<readonly unknown[]> {
    try {
      return (made.length > 0 && (await this.#creations.real(made))) || [];
    } catch {
      return [];
    }
  }

  discarded(waiting: Waiting): Promise<void> {
    const { endpoint, key } = waiting.issued;
    const circumstance = { endpoint: titleOf(endpoint), key };
    return this.#takeOut(waiting, new SignalboxError('O5', {}, circumstance));
  }

  /** Nobody wants it any more: who waits for it is told, and the log forgets it. */
  async #takeOut(waiting: Waiting, error: unknown): Promise<void> {
    waiting.tell({ error });
    waiting.unwanted.abort(error);
    const entry = await waiting.logged;
    if (entry === undefined) return;
    await waiting.ended;
    await this.#tools.log.settle(waiting.entry ?? entry, { outcome: { error }, keys: [] });
    this.waitings.forget(waiting);
  }

  #reset(): void {
    const { log } = this.#tools;
    this.#courier.stop();
    this.#courier = new Courier(this.#tools, this);
    this.waitings.clear(new ResetError({ key: this.#tools.name }));
    log.clear().catch((reason: unknown) => warn('O2', '', { endpoint: this.#tools.name, reason }));
    this.send(false);
  }
}
