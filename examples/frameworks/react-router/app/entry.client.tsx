import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { Provider } from 'signalbox/react';
import { receiveServerData } from 'signalbox/ssr';
import { pageController } from './controller';

receiveServerData(pageController);
startTransition(() => {
  hydrateRoot(
    document,
    <Provider controller={pageController}>
      <HydratedRouter />
    </Provider>,
  );
});
