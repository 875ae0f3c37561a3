/** Renders a request: what it has fetched stands in the stream before the markup that was made of it. */
import { createHandler, StartServer } from '@solidjs/start/server';
import { withServerData } from 'signalbox/ssr';
import { eventHandler } from 'vinxi/http';
import { controllerOf } from './controller';

const render = createHandler(() => (
  <StartServer
    document={({ assets, children, scripts }) => (
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          {assets}
        </head>
        <body>
          <div id="app">{children}</div>
          {scripts}
        </body>
      </html>
    )}
  />
));

export default eventHandler(async (event) => {
  const body: unknown = await render(event);
  return body instanceof ReadableStream ? withServerData(body, controllerOf(event.context)) : body;
});
