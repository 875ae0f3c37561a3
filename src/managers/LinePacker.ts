/** From confirmed changes to the lines to write to a disk. */
import { warn } from '../diagnostics.ts';
import type { Filed } from './Filed.ts';
import type { Filing } from './Filing.ts';
import type { LineChanges } from './rewriteChunks.ts';
import { linesOf, lineText } from './rows.ts';
import type { DiskLine } from './rows.ts';
import type { Touched } from './Touched.ts';

/** The lines of one run. */
export interface Packed {
  readonly changes: LineChanges;
  readonly order: number;
  readonly turn: number;
  /** True if only the freshness of lists and responses has changed. */
  readonly isFreshness: boolean;
}

export class LinePacker {
  readonly #filing: Filing;
  readonly #touched: Touched;
  /** The name of the disk, for messages. */
  readonly #name: string;
  /** The content of lists and responses on the disk, without their times. */
  readonly #rests = new Map<string, string>();
  #lines = new Map<string, string | undefined>();
  #order = 0;
  #turn = 0;
  #isFreshness = true;

  constructor(filing: Filing, touched: Touched, name: string) {
    this.#filing = filing;
    this.#touched = touched;
    this.#name = name;
  }

  /** Remembers the line of a list or a response on the disk. */
  know(key: string, { rest }: DiskLine): void {
    this.#rests.set(key, rest);
  }

  clear(): void {
    this.#rests.clear();
    this.#lines = new Map();
  }

  /** Packs in slices. Changes confirmed between slices are packed, too, so all lines are of one moment, the last. */
  *pack(now: () => number): Generator<void, Packed> {
    while (!this.#touched.isEmpty) {
      const packed = yield* this.#filing.pack(this.#touched.take(), now());
      for (const [key, filed] of packed) {
        yield* this.#add(key, filed);
        yield;
      }
    }
    const packed = {
      changes: this.#lines,
      order: this.#order,
      turn: this.#turn,
      isFreshness: this.#isFreshness,
    };
    this.#lines = new Map();
    this.#isFreshness = true;
    return packed;
  }

  *#add(key: string, filed: Filed | undefined): Generator<void> {
    const lines = filed && (yield* this.#linesOf(key, filed));
    if (lines === undefined || filed === undefined) {
      this.#lines.set(key, undefined);
      this.#rests.delete(key);
      this.#isFreshness = false;
      return;
    }
    for (const [name, line] of lines) this.#lines.set(name, lineText(line));
    this.#order = Math.max(this.#order, filed.at[0]);
    if (filed.kind === 'entity') this.#turn = Math.max(this.#turn, filed.turn);
    if (filed.kind === 'result') this.#order = Math.max(this.#order, filed.expired, filed.invalid);
    const { rest } = lines.get(key) as DiskLine;
    if (filed.kind === 'entity' || this.#rests.get(key) !== rest) this.#isFreshness = false;
    if (filed.kind !== 'entity') this.#rests.set(key, rest);
  }

  /** Undefined for a value that no disk can store. */
  *#linesOf(key: string, filed: Filed): Generator<void, Map<string, DiskLine> | undefined> {
    try {
      return yield* linesOf(filed);
    } catch (error) {
      warn('P2', this.#name + key, { record: key, reason: (error as Error).message });
      this.#filing.drop(key);
      return undefined;
    }
  }
}
