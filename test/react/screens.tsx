// Apps of stacked screens, made of the real navigators of React Navigation.
import {
  BaseNavigationContainer,
  createNavigationContainerRef,
  createNavigatorFactory,
  NavigationContext,
  StackActions,
  StackRouter,
  TabRouter,
  useNavigationBuilder,
} from '@react-navigation/core';
import type { ParamListBase } from '@react-navigation/core';
import { Fragment, Suspense } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { Provider } from 'signalbox/react/native';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';
import type { Page } from './page.ts';

/** Draws all screens at once, as native stacks and tabs do: covered screens stay mounted. */
const navigatorOf = (router: unknown) =>
  createNavigatorFactory(function Navigator(props: object): ReactElement {
    const { state, descriptors, NavigationContent } = useNavigationBuilder(
      router as never,
      props as never,
    );
    return (
      <NavigationContent>
        {state.routes.map(({ key }) => (
          <div key={key}>{descriptors[key]?.render()}</div>
        ))}
      </NavigationContent>
    );
  })();

export const Stack = navigatorOf(StackRouter);
export const Tabs = navigatorOf(TabRouter);
const Cover = (): null => null;

export interface App extends Page {
  readonly cover: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
}

/** An app with a single screen in a stack. */
export async function app(w: World, Shown: ComponentType, Around = Fragment): Promise<App> {
  const ref = createNavigationContainerRef<ParamListBase>();
  const drawn = await page(
    w,
    <Around>
      <Provider controller={w.controller} screen={NavigationContext}>
        <BaseNavigationContainer ref={ref}>
          <Stack.Navigator>
            <Stack.Screen name="shown" component={bounded(Shown)} />
            <Stack.Screen name="cover" component={Cover} />
          </Stack.Navigator>
        </BaseNavigationContainer>
      </Provider>
    </Around>,
  );
  return {
    ...drawn,
    cover: () => settled(drawn, () => ref.dispatch(StackActions.push('cover'))),
    comeBack: () => settled(drawn, () => ref.dispatch(StackActions.pop())),
  };
}

/** React 18 runs the effects of a change when act ends: deferred work needs another act. */
export async function settled({ act }: Page, job: () => unknown): Promise<void> {
  await act(job);
  await act();
}

export const bounded = (Shown: ComponentType): ComponentType =>
  function Bounded() {
    return (
      <Suspense fallback={<i>loading</i>}>
        <Shown />
      </Suspense>
    );
  };
