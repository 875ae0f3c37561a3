/** Hooks that follow the screen on which a component stands. */
import type { Context } from 'react';
import { whenIdle } from '../../src/clock.ts';
import { noop } from '../../src/fetch/promiseTry.ts';
import type { Effect } from '../hooks.ts';
import type { ScreenHooks } from './ScreenContext.ts';
import { useContext, useEffect, useRef } from './react.ts';

/** One screen of a navigation library. Those of React Navigation and Expo Router are such. */
export interface Screen {
  isFocused(): boolean;
  /** Gives back how to stop. */
  addListener(event: 'focus' | 'blur', listener: () => void): () => void;
}

/** What one hook knows of its screen, which a library may give as another object at any render. */
interface Visit {
  focused: boolean | undefined;
  /** What is shown now, not what was shown when the screen was first focused. */
  ask: () => void;
  callOff: () => void;
}

/** `context` tells a component its screen. Outside of any screen, what is mounted counts as focused. */
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

/** Runs an effect at each focus, and ends it at each blur. */
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

/** Asks at each focus after a blur, when the animation that brings the screen back leaves time; not once it is gone. */
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
  // the first focus is told to some when they are mounted already: asking tells all
  if (screen.isFocused()) focus();
  else blur();
  const deaf = [screen.addListener('focus', focus), screen.addListener('blur', blur)];
  return () => {
    for (const stop of deaf) stop();
    leave();
  };
}
