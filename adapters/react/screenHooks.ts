/** Hooks that depend on the focus of a component's screen. */
import type { Context } from 'react';
import { whenIdle } from '../../src/clock.ts';
import { noop } from '../../src/request/promiseTry.ts';
import type { Effect } from '../FrameworkHooks.ts';
import type { ScreenHooks } from './react.ts';
import { useContext, useEffect, useRef } from './react.ts';

/** A screen of a navigation library. Screens of React Navigation and Expo Router have this type. */
export interface NavigationScreen {
  isFocused(): boolean;
  /** Returns an unsubscribe function. */
  addListener(event: 'focus' | 'blur', listener: () => void): () => void;
}

/** The state of one hook about its screen. A library may return a new screen object at any render. */
interface ScreenState {
  focused: boolean | undefined;
  /** Revalidates the present reader, not the reader at the first focus of the screen. */
  revalidate: () => void;
  cancelRevalidation: () => void;
}

/** `context` provides the screen of a component. Outside of any screen, a mounted component counts as focused. */
export function screenHooks(context: Context<NavigationScreen | undefined>): ScreenHooks {
  return {
    useEffect(effect, deps = []) {
      const screen = useContext(context);
      useEffect(
        () => (screen === undefined ? effect() : whileFocused(screen, effect)),
        // eslint-disable-next-line react/exhaustive-deps -- those of the caller
        [screen, ...deps],
      );
    },
    useReturn(reader) {
      const screen = useContext(context);
      const { current: state } = useRef<ScreenState>({
        focused: undefined,
        revalidate: noop,
        cancelRevalidation: noop,
      });
      useEffect(() => {
        state.revalidate = () => reader.revalidate();
        return () => state.cancelRevalidation();
      }, [state, reader]);
      useEffect(
        () => (screen === undefined ? undefined : revalidateAtReturn(screen, state)),
        [screen, state],
      );
    },
  };
}

/** Runs an effect at each focus, and cleans up at each blur. */
function whileFocused(screen: NavigationScreen, effect: Effect): () => void {
  let cleanUp: (() => void) | undefined;
  const focus = () => {
    cleanUp ??= effect() ?? noop;
  };
  const blur = () => {
    cleanUp?.();
    cleanUp = undefined;
  };
  return listen(screen, focus, blur, blur);
}

/** Revalidates at each focus after a blur, once the animation of the screen is idle; not after unmount. */
function revalidateAtReturn(screen: NavigationScreen, state: ScreenState): () => void {
  const focus = () => {
    if (state.focused === false) state.cancelRevalidation = whenIdle(() => state.revalidate());
    state.focused = true;
  };
  const blur = () => {
    state.cancelRevalidation();
    state.focused = false;
  };
  return listen(screen, focus, blur, noop);
}

function listen(
  screen: NavigationScreen,
  focus: () => void,
  blur: () => void,
  onStop: () => void,
): () => void {
  // some libraries emit the first focus before the hook subscribes: isFocused covers all
  if (screen.isFocused()) focus();
  else blur();
  const stops = [screen.addListener('focus', focus), screen.addListener('blur', blur)];
  return () => {
    for (const stop of stops) stop();
    onStop();
  };
}
