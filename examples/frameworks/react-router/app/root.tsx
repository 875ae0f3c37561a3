import { Links, Meta, Outlet, Scripts, type MiddlewareFunction } from 'react-router';
import { Controller } from 'signalbox';
import { controllerContext } from './controller';

export const middleware: MiddlewareFunction<Response>[] = [
  ({ context }, next) => {
    context.set(controllerContext, new Controller());
    return next();
  },
];

export default function Root() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <Meta />
        <Links />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}
