/** The screen context of React Navigation, if the app uses it. */
import type { Context } from 'react';
import type { Screen } from './screenHooks.ts';

/**
 * The context of `@react-navigation/native`, which Expo Router uses as well; undefined if not installed. Bundlers treat
 * a `require` in a `try` as optional, and, unlike an `import()`, its result is available at the first render.
 */
export function navigationContext(): Context<Screen | undefined> | undefined {
  try {
    const library = require('@react-navigation/native') as {
      readonly NavigationContext?: Context<Screen | undefined>;
    };
    return library.NavigationContext;
  } catch {
    return undefined;
  }
}
