// React Native: the code of docs/react-native.md, and which contexts are screens.
import { Controller, createResource } from 'signalbox';
import { appSurroundings, Provider, useSuspense } from 'signalbox/react/native';
import type { AppState as AppStates, NetInfo as Networks, Screen } from 'signalbox/react/native';
import { createContext } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { NavigationContext as Context } from '@react-navigation/core';
import { expectTypeOf, test } from 'vitest';
import { Todo } from '../setup/samples.ts';

declare const AppState: AppStates;
declare const NetInfo: Networks;
declare const NavigationContext: typeof Context;
declare function NavigationContainer(props: { readonly children?: ReactNode }): ReactElement;
declare function Text(props: { readonly children?: ReactNode }): ReactElement;

const TodoResource = createResource({ path: '/todos/:id', schema: Todo });

const controller = new Controller({ surroundings: appSurroundings(AppState, NetInfo) });

export function App() {
  return (
    <Provider controller={controller}>
      <NavigationContainer>{/* your navigators */}</NavigationContainer>
    </Provider>
  );
}

function TodoScreen({ id }: { id: number }) {
  const todo = useSuspense(TodoResource.get, { id });
  return <Text>{todo.title}</Text>;
}

export function Root() {
  return <Provider screen={NavigationContext}>{/* … */}</Provider>;
}

test('[H6] the code of docs/react-native.md compiles, and `screen` rejects a context without addListener', () => {
  expectTypeOf(TodoScreen).parameter(0).toEqualTypeOf<{ id: number }>();
  const own = createContext<Screen | undefined>(undefined);
  const none = createContext<{ readonly isFocused: () => boolean } | undefined>(undefined);
  expectTypeOf(<Provider screen={own} />).not.toBeAny();
  // @ts-expect-error: it cannot be listened to
  expectTypeOf(<Provider screen={none} />).not.toBeAny();
});
