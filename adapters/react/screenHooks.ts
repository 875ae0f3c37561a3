/** Hooks that depend on the focus of a component's screen. */
import type { Context } from 'react';
import { whenIdle } from '../../src/clock.ts';
import { noop } from '../../src/request/promiseTry.ts';
import type { Effect } from '../FrameworkHooks.ts';
import type { ScreenHooks } from './ScreenContext.ts';
import { useContext, useEffect, useRef } from './react.ts';

/** A screen of a navigation library. Screens of React Navigation and Expo Router have this type. */
export interface Screen {
  isFocused(): boolean;
  /** Returns an unsubscribe function. */
  addListener(event: 'focus' | 'blur', listener: () => void): () => void;
}

/** The state of one hook about its screen. A library may return a new screen object at any render. */
interface Visit {
  focused: boolean | undefined;
  /** Revalidates the present reader, not the reader at the first focus of the screen. */
  ask: () => void;
  callOff: () => void;
}

/** `context` provides the screen of a component. Outside of any screen, a mounted component counts as focused. */
export function screenHooks(context: Context<Screen | undefined>): ScreenHooks {
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
      const { current: visit } = useRef<Visit>({ focused: undefined, ask: noop, callOff: noop });
      useEffect(() => {
        visit.ask = () => reader.revalidate();
        return () => visit.callOff();
      }, [visit, reader]);
      useEffect(() => (screen === undefined ? undefined : follow(screen, visit)), [screen, visit]);
    },
  };
}

/** Runs an effect at each focus, and cleans up at each blur. */
function whileFocused(screen: Screen, effect: Effect): () => void {
  let end: (() => void) | undefined;
  const focus = () => {
    end ??= effect() ?? noop;
  };
  const blur = () => {
    end?.();
    end = undefined;
  };
  return listen(screen, focus, blur, blur);
}

/** Revalidates at each focus after a blur, once the animation of the screen is idle; not after unmount. */
function follow(screen: Screen, visit: Visit): () => void {
  const focus = () => {
    if (visit.focused === false) visit.callOff = whenIdle(() => visit.ask());
    visit.focused = true;
  };
  const blur = () => {
    visit.callOff();
    visit.focused = false;
  };
  return listen(screen, focus, blur, noop);
}

function listen(
  screen: Screen,
  focus: () => void,
  blur: () => void,
  leave: () => void,
): () => void {
  // some libraries emit the first focus before the hook subscribes: isFocused covers all
  if (screen.isFocused()) focus();
  else blur();
  const deaf = [screen.addListener('focus', focus), screen.addListener('blur', blur)];
  return () => {
    for (const stop of deaf) stop();
    leave();
  };
}
