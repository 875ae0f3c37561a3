/** The function of the `set` that is being committed, for readers that show a state without an earlier write. */

/** A write that can be repeated on another value of the same entity. */
export interface SetUpdate {
  /** The snapshot that the function got. */
  readonly present: unknown;
  readonly update: (present: unknown) => unknown;
}

let current: SetUpdate | undefined;

/** The `set` that is being committed, if given as a function of the present value. */
export function currentSetUpdate(): SetUpdate | undefined {
  return current;
}

/** Runs `commit` as the write of `replay`. */
export function withSetUpdate(replay: SetUpdate | undefined, commit: () => void): void {
  const outer = current;
  current = replay;
  try {
    commit();
  } finally {
    current = outer;
  }
}
