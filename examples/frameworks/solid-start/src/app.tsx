import { Router } from '@solidjs/router';
import { FileRoutes } from '@solidjs/start/router';
import { Suspense } from 'solid-js';
import { Provider } from 'signalbox/solid';
import { getController } from './controller';

export default function App() {
  return (
    <Provider controller={getController()}>
      <Router root={(props) => <Suspense>{props.children}</Suspense>}>
        <FileRoutes />
      </Router>
    </Provider>
  );
}
