/** The provider of Rest Hooks, whose default managers are a static of the component. */
import { createElement } from 'react';
import type { Component as ReactComponent, ReactNode } from 'react';
import { Component } from '../../adapters/react/react.ts';
import { DataProvider } from './DataProvider.ts';
import type { ProviderProps } from './DataProvider.ts';
import { getDefaultManagers } from './Manager.ts';
import type { Manager } from './Manager.ts';

/** The component: a class, since React 18 warns about `defaultProps` of functions. */
export interface CacheProviderClass {
  new (props: ProviderProps): ReactComponent<ProviderProps>;
  readonly defaultProps: { readonly managers: Manager[] };
}

/** Older name of `DataProvider`: `<CacheProvider managers={[...CacheProvider.defaultProps.managers, new Log()]}>`. */
export const CacheProvider: CacheProviderClass = createCacheProvider();

// in a function, so that bundlers may drop the class
function createCacheProvider(): CacheProviderClass {
  return class CacheProvider extends Component<ProviderProps> {
    /** New managers at each access: two providers share none. */
    static get defaultProps(): { readonly managers: Manager[] } {
      return { managers: getDefaultManagers() };
    }

    override render(): ReactNode {
      return createElement(DataProvider, this.props);
    }
  };
}
