import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { Provider } from 'signalbox/react';
import { controller, router } from './router';

createRoot(document.getElementById('root') as HTMLElement).render(
  <Provider controller={controller}>
    <RouterProvider router={router} />
  </Provider>,
);
