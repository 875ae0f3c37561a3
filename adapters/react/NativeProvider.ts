/** Provides a controller, and the screens of a navigation library. */
import { createElement } from 'react';
import type { Context, ReactElement } from 'react';
import { Provider } from './Provider.ts';
import type { ProviderProps } from './Provider.ts';
import { ScreenContext, useState } from './react.ts';
import { screenHooks } from './screenHooks.ts';
import type { NavigationScreen } from './screenHooks.ts';

/** Props of `<Provider>` on React Native: a controller, and the screens' context of a navigation library. */
export interface NativeProviderProps<
  S extends NavigationScreen = NavigationScreen,
> extends ProviderProps {
  /**
   * The context in which a navigation library provides the screen of a component; read once. Default: the context of
   * `@react-navigation/native`, if installed.
   */
  readonly screen?: Context<S | undefined> | undefined;
}

/** The provider of React Native: stale data are refetched when the user returns to their screen. */
export function NativeProvider<S extends NavigationScreen = NavigationScreen>(
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
 * a `require` in a `try` as optional, and, unlike an `import()`, its result is available at the first render.
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
