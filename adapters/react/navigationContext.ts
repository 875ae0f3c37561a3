/** The screens of React Navigation, where an app has it. */
import type { Context } from 'react';
import type { Screen } from './screenHooks.ts';

/**
 * The context of `@react-navigation/native`, on which Expo Router stands, too; undefined where it is not installed.
 * Bundlers take a `require` in a `try` for optional, and, unlike an `import()`, it is there at the first render.
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
