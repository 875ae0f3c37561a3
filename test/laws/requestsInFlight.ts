/** What is on its way between a store and a server: how it may end, and what its caller must get. */
import { refusal, settled } from '../setup/world.ts';
import type { Call } from '../setup/world.ts';
import type { Fields } from './confirmed.ts';

export type Ending = 'answer' | 'fail' | 'empty' | 'abort' | 'partial';

/** What the model makes of each ending. */
export interface Outcome {
  /** What the server said when it was asked; undefined: it refuses. */
  readonly value: unknown;
  take(): void;
  /** Whether an answer may be empty (R8), and what that means. */
  readonly mayBeEmpty: boolean;
  takeEmpty(): void;
  /** Of a mutation of a row: what an answer with some of its fields means (N23). True: it lacks a field that was sent. */
  takePartial?(value: Fields): boolean;
  /** Failed, or aborted. */
  miss(): void;
  /** What readers see of it, and the caller gets; undefined: nothing, or nothing for sure. */
  shown(): unknown;
  /** True where it must not count as fresh. */
  stale(empty: boolean): boolean;
}

/** How the promise of a caller ended. */
interface Fate {
  ended: boolean;
  with?: unknown;
}

export interface Letter {
  readonly call: Call;
  /** Of a read. */
  readonly key?: string;
  readonly abort: AbortController;
  readonly fate: Fate;
  /** Sent by what is mounted: nobody is told how it ended. */
  readonly automatic?: boolean;
  /** Undefined: aborted or reset. Its answer still comes, and nobody sees it. */
  readonly outcome: Outcome | undefined;
}

export class Post {
  #letters: Letter[] = [];
  readonly #fates: Fate[] = [];
  readonly #shared = new Set<Letter>();

  get length(): number {
    return this.#letters.length;
  }

  /** Callers whose promise is not settled. */
  get waiting(): number {
    return this.#fates.filter(({ ended }) => !ended).length;
  }

  follow(promise: Promise<unknown>): Fate {
    const fate: Fate = { ended: false };
    this.#fates.push(fate);
    const end = (value: unknown) => void Object.assign(fate, { ended: true, with: value });
    void promise.then(end, end);
    return fate;
  }

  send(letter: Letter): void {
    this.#letters.push(letter);
  }

  /** Somebody else waits for the answer too: one signal does not abort it. */
  share(key: string): void {
    const letter = this.#letters.filter((one) => one.key === key).at(-1);
    if (letter !== undefined) this.#shared.add(letter);
  }

  /** O8: who waits is told at once. */
  async lose(): Promise<string[]> {
    await settled();
    const untold = this.#letters.filter(
      ({ outcome, fate, automatic }) =>
        outcome !== undefined && automatic !== true && nameOf(fate.with) !== 'ResetError',
    );
    this.#letters = this.#letters.map((letter) => ({ ...letter, outcome: undefined }));
    return untold.map(({ call }) => `reset not told: ${call.name}`);
  }

  /** Ends a letter; gives what is wrong with what its caller got. */
  async end(at: number, ending: Ending): Promise<string[]> {
    const [letter] = this.#letters.splice(at % this.#letters.length, 1);
    if (letter === undefined) return [];
    const { call, outcome } = letter;
    if (outcome === undefined) return (await call.answer({}), []);
    if (ending === 'abort' && !this.#shared.has(letter)) return this.#abort(letter, outcome);
    if (ending === 'fail' || outcome.value === undefined)
      return fail(letter, outcome, refusal(at % 2 === 0 ? 500 : undefined));
    if (ending === 'partial' && outcome.takePartial) return partial(letter, outcome, at);
    const empty = ending === 'empty' && outcome.mayBeEmpty;
    await call.answer(empty ? null : structuredClone(outcome.value));
    if (empty) outcome.takeEmpty();
    else outcome.take();
    return received(letter, outcome, empty);
  }

  /** O10: it has not happened, whatever comes. */
  async #abort(letter: Letter, outcome: Outcome): Promise<string[]> {
    letter.abort.abort();
    this.#letters.push({ ...letter, outcome: undefined });
    await settled();
    outcome.miss();
    return nameOf(letter.fate.with) === 'AbortError' ? [] : [`abort not told: ${letter.call.name}`];
  }
}

async function fail(
  { call, fate, automatic }: Letter,
  outcome: Outcome,
  error: Error,
): Promise<string[]> {
  await call.fail(error);
  outcome.miss();
  return fate.with === error || automatic === true ? [] : [`error not told: ${call.name}`];
}

/** N23: with the id alone, or with one more field. */
async function partial(letter: Letter, outcome: Outcome, at: number): Promise<string[]> {
  const { id, n } = outcome.value as Fields;
  const value = at % 2 === 0 ? { id } : { id, n };
  await letter.call.answer({ ...value });
  const lacks = outcome.takePartial?.(value) === true;
  return received(letter, outcome, lacks, false);
}

/** F2: the caller gets what readers see. */
function received(
  { call, fate, automatic }: Letter,
  outcome: Outcome,
  lacks: boolean,
  empty = lacks,
): string[] {
  const found: string[] = [];
  const due = empty ? null : outcome.shown();
  if (due !== undefined && automatic !== true && fate.with !== due)
    found.push(`caller gets another value: ${call.name} gives ${String(fate.with)}`);
  if (outcome.stale(lacks)) found.push(`older answer counts as fresh: ${call.name}`);
  return found;
}

function nameOf(reason: unknown): unknown {
  return (reason as { readonly name?: unknown } | null | undefined)?.name;
}
