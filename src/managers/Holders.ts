/** Which responses on a disk show an entity. */
import { keysShownBy } from './Filed.ts';
import type { At, Filed, FiledResult } from './Filed.ts';
import { atIn, lineIn } from './rows.ts';

/** The records that a response shows. */
interface Shown {
  readonly result: FiledResult;
  readonly apart: ReadonlySet<string>;
  /** The keys found so far: lists before entities. */
  readonly keys: Set<string>;
  readonly entities: Set<string>;
}

const RESULT = '["result",';

export class Holders {
  readonly #times = new Map<string, At>();
  readonly #shown = new Map<string, Shown>();
  readonly #peek: (key: string) => Filed | undefined;

  /** `peek` decodes a line. */
  constructor(lines: ReadonlyMap<string, string>, peek: (key: string) => Filed | undefined) {
    this.#peek = peek;
    for (const [key, text] of lines) {
      if (!key.startsWith(RESULT)) continue;
      const at = atIn(lineIn(text));
      if (at !== undefined) this.#times.set(key, [at[0], at[1], at[2]]);
    }
  }

  /** The record is in the store now. */
  delete(key: string): void {
    this.#times.delete(key);
    this.#shown.delete(key);
  }

  /** The newest response that brought this entity; `isOfUse`: tests its times. */
  of(key: string, filed: Filed, isOfUse: (at: At) => boolean): FiledResult | undefined {
    const newer = [...this.#times].filter(([, at]) => isOfUse(at));
    newer.sort(([, one], [, other]) => other[1] - one[1]);
    for (const [name] of newer) {
      const shown = this.#shownBy(name);
      if (shown !== undefined && !shown.apart.has(key) && this.#shows(shown, key))
        return shown.result;
    }
    return undefined;
  }

  #shownBy(name: string): Shown | undefined {
    const known = this.#shown.get(name);
    if (known !== undefined) return known;
    const result = this.#tryPeek(name);
    if (result?.kind !== 'result') return undefined;
    const keys = new Set(keysShownBy(result));
    for (const key of keys) {
      const list = key.startsWith('["list",') ? this.#tryPeek(key) : undefined;
      if (list !== undefined) for (const member of keysShownBy(list)) keys.add(member);
    }
    const apart = new Set(result.answer?.apart);
    const shown = { result, apart, keys, entities: new Set(keys) };
    this.#shown.set(name, shown);
    return shown;
  }

  /** Lists are searched first, because no row has to be decoded for them. */
  #shows({ keys, entities }: Shown, key: string): boolean {
    if (keys.has(key)) return true;
    for (const next of entities) {
      entities.delete(next);
      const filed = this.#tryPeek(next);
      for (const shown of filed === undefined ? [] : keysShownBy(filed))
        if (!keys.has(shown)) {
          keys.add(shown);
          entities.add(shown);
        }
      if (keys.has(key)) return true;
    }
    return false;
  }

  /** A broken line has no contents: it is refused when it is loaded. */
  #tryPeek(key: string): Filed | undefined {
    try {
      return this.#peek(key);
    } catch {
      return undefined;
    }
  }
}
