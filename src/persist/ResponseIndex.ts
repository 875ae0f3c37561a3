/** Which responses on a disk show an entity. */
import { referencedKeys } from '../sync/PersistedRecord.ts';
import type { PersistedStamp, PersistedRecord, PersistedRead } from '../sync/PersistedRecord.ts';
import { stampIn } from './recordCodec.ts';
import { lineIn } from './DiskLine.ts';

/** The records that a response shows. */
interface References {
  readonly result: PersistedRead;
  readonly apart: ReadonlySet<string>;
  /** The keys found so far: lists before entities. */
  readonly keys: Set<string>;
  readonly entities: Set<string>;
}

const RESULT = '["result",';

export class ResponseIndex {
  readonly #times = new Map<string, PersistedStamp>();
  readonly #shown = new Map<string, References>();
  readonly #peek: (key: string) => PersistedRecord | undefined;

  /** `peek` decodes a line. */
  constructor(
    lines: ReadonlyMap<string, string>,
    peek: (key: string) => PersistedRecord | undefined,
  ) {
    this.#peek = peek;
    for (const [key, text] of lines) {
      if (!key.startsWith(RESULT)) continue;
      const at = stampIn(lineIn(text));
      if (at !== undefined) this.#times.set(key, [at[0], at[1], at[2]]);
    }
  }

  /** The record is in the store now. */
  delete(key: string): void {
    this.#times.delete(key);
    this.#shown.delete(key);
  }

  /** The newest response that brought this entity; `isOfUse`: tests its times. */
  of(
    key: string,
    persisted: PersistedRecord,
    isOfUse: (at: PersistedStamp) => boolean,
  ): PersistedRead | undefined {
    const newer = [...this.#times].filter(([, at]) => isOfUse(at));
    newer.sort(([, one], [, other]) => other[1] - one[1]);
    for (const [name] of newer) {
      const shown = this.#shownBy(name);
      if (shown !== undefined && !shown.apart.has(key) && this.#shows(shown, key))
        return shown.result;
    }
    return undefined;
  }

  #shownBy(name: string): References | undefined {
    const known = this.#shown.get(name);
    if (known !== undefined) return known;
    const result = this.#tryPeek(name);
    if (result?.kind !== 'result') return undefined;
    const keys = new Set(referencedKeys(result));
    for (const key of keys) {
      const list = key.startsWith('["list",') ? this.#tryPeek(key) : undefined;
      if (list !== undefined) for (const member of referencedKeys(list)) keys.add(member);
    }
    const apart = new Set(result.answer?.apart);
    const shown = { result, apart, keys, entities: new Set(keys) };
    this.#shown.set(name, shown);
    return shown;
  }

  /** Lists are searched first, because no row has to be decoded for them. */
  #shows({ keys, entities }: References, key: string): boolean {
    if (keys.has(key)) return true;
    for (const next of entities) {
      entities.delete(next);
      const persisted = this.#tryPeek(next);
      for (const shown of persisted === undefined ? [] : referencedKeys(persisted))
        if (!keys.has(shown)) {
          keys.add(shown);
          entities.add(shown);
        }
      if (keys.has(key)) return true;
    }
    return false;
  }

  /** A broken line has no contents: it is refused when it is loaded. */
  #tryPeek(key: string): PersistedRecord | undefined {
    try {
      return this.#peek(key);
    } catch {
      return undefined;
    }
  }
}
