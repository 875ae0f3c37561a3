/** Tracks the state of the latest call of an async function: the body of `useLoading`. */
import { ResetError } from '../src/errors.ts';
import type { UnknownError } from '../src/errors.ts';
import type { FrameworkHooks } from './FrameworkHooks.ts';
import { toError } from './toError.ts';

/** The functions that `useLoading` wraps: any function that returns a promise. */
// any: functions of every parameter list must fit; parameters are contravariant
export type AsyncFunction = (...args: any[]) => Promise<unknown>;

/** The state of the latest call of a function. */
export interface CallState {
  readonly loading: boolean;
  readonly error: UnknownError | undefined;
}

export const IDLE: CallState = { loading: false, error: undefined };

/** The shared state of all calls of one hook. */
interface Calls<F> {
  /** The function of the last render. */
  fn: F;
  latest?: object;
}

/**
 * Wraps `fn` to report the state of its latest call. If `fn` fails, the wrapper resolves with undefined and reports the
 * error.
 */
export function trackLatestCall<F extends AsyncFunction>(
  calls: Calls<F>,
  report: (state: CallState) => void,
): F {
  const wrapper = async (...args: Parameters<F>): Promise<unknown> => {
    const call = (calls.latest = {});
    const end = (state: CallState) => call === calls.latest && report(state);
    report({ loading: true, error: undefined });
    try {
      const result = await calls.fn(...args);
      end(IDLE);
      return result;
    } catch (thrown) {
      // a reset is no error: its message would be displayed to the next user
      end(thrown instanceof ResetError ? IDLE : { loading: false, error: toError(thrown) });
      return undefined;
    }
  };
  return wrapper as F;
}

/**
 * The function with its latest call. Its identity is stable for equal `deps`, and it calls the `fn` of the last render.
 */
export function useLatestCall<F extends AsyncFunction>(
  {
    useState,
    useMemo,
    useInsertionEffect: useCommit,
  }: Pick<FrameworkHooks, 'useState' | 'useMemo' | 'useInsertionEffect'>,
  fn: F,
  deps: readonly unknown[],
): [F, boolean, UnknownError | undefined] {
  const [{ loading, error }, setState] = useState(() => IDLE);
  const [calls] = useState((): Calls<F> => ({ fn }));
  useCommit(() => {
    calls.fn = fn;
  });
  const wrapper = useMemo(
    () => trackLatestCall(calls, (state) => setState(() => state)),
    [calls, ...deps],
  );
  return [wrapper, loading, error];
}
