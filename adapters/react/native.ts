/** signalbox/react on React Native: stale data on a screen are refetched when the user returns to the screen. */
import { createElement } from 'react';
import type { Context, ReactElement } from 'react';
import { whenIdle } from '../../src/clock.ts';
import type { Surroundings } from '../../src/page.ts';
import { noop } from '../../src/request/promiseTry.ts';
import type { Effect } from '../FrameworkHooks.ts';
import { Provider } from './Provider.ts';
import type { ProviderProps } from './Provider.ts';
import { useContext, useEffect, useRef, useState } from './react.ts';
import { ScreenContext } from './reactHooks.ts';
import type { ScreenHooks } from './reactHooks.ts';

export * from './index.ts';
export { NativeProvider as Provider, NativeProvider as DataProvider };
export type { NativeProviderProps as ProviderProps, NavigationScreen as Screen };

/** Props of `<Provider>` on React Native: a controller, and the screens' context of a navigation library. */
interface NativeProviderProps<S extends NavigationScreen = NavigationScreen> extends ProviderProps {
  /**
   * The context in which a navigation library provides the screen of a component; read once. Default: the context of
   * `@react-navigation/native`, if installed.
   */
  readonly screen?: Context<S | undefined> | undefined;
}

/** The provider of React Native: stale data are refetched when the user returns to their screen. */
function NativeProvider<S extends NavigationScreen = NavigationScreen>(
  props: NativeProviderProps<S>,
): ReactElement {
  const { screen, ...rest } = props;
  // once: hooks must be the same at every render
  const [hooks] = useState(() => {
    const context =
      (screen as Context<NavigationScreen | undefined> | undefined) ?? navigationContext();
    return context && screenHooks(context);
  });
  const provider = createElement(Provider, rest);
  return hooks === undefined
    ? provider
    : createElement(ScreenContext.Provider, { value: hooks }, provider);
}

/**
 * The context of `@react-navigation/native`, which Expo Router uses as well; undefined if not installed. Bundlers treat
 * a `require` in a `try` as optional, and, unlike with an `import()`, the result is available at the first render.
 */
function navigationContext(): Context<NavigationScreen | undefined> | undefined {
  try {
    const library = require('@react-navigation/native') as {
      readonly NavigationContext?: Context<NavigationScreen | undefined>;
    };
    return library.NavigationContext;
  } catch {
    return undefined;
  }
}

/** A screen of a navigation library. Screens of React Navigation and Expo Router have this type. */
interface NavigationScreen {
  isFocused(): boolean;
  /** Returns an unsubscribe function. */
  addListener(event: 'focus' | 'blur', listener: () => void): () => void;
}

/** The state of a hook about the screen. A library may return a new screen object at any render. */
interface ScreenState {
  focused: boolean | undefined;
  /** Revalidates the present reader, not the reader at the first focus of the screen. */
  revalidate: () => void;
  cancelRevalidation: () => void;
}

/** `context` provides the screen of a component. Outside of any screen, a mounted component counts as focused. */
function screenHooks(context: Context<NavigationScreen | undefined>): ScreenHooks {
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

/** `AppState` of react-native. */
export interface AppState {
  readonly currentState: string;
  addEventListener(event: 'change', listener: (state: string) => void): { remove(): void };
}

/** `NetInfo` of @react-native-community/netinfo. */
export interface NetInfo {
  addEventListener(listener: (state: { readonly isConnected: boolean | null }) => void): () => void;
}

/**
 * `new Controller({ surroundings: appSurroundings(AppState, NetInfo) })`: stale views are refetched when the app comes
 * to the foreground and when the network comes back; until then polling pauses. Without `NetInfo` the app counts as
 * online. The modules are subscribed to while any view is mounted.
 */
export function appSurroundings(app: AppState, network?: NetInfo): Surroundings {
  let offline = false;
  return {
    get hidden() {
      // 'inactive' is a short interruption: a call, the app switcher
      return app.currentState === 'background';
    },
    get offline() {
      return offline;
    },
    listen(onReturn) {
      let { currentState: lastState } = app;
      const states = app.addEventListener('change', (state) => {
        if (state === 'active' && lastState === 'background') onReturn('focus');
        if (state !== 'inactive') lastState = state;
      });
      const stop = network?.addEventListener(({ isConnected }) => {
        const wasOffline = offline;
        offline = isConnected === false;
        if (wasOffline && !offline) onReturn('reconnect');
      });
      return () => {
        states.remove();
        stop?.();
        offline = false;
      };
    },
  };
}
