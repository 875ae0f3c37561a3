/** The API under the origin of the page: requests of the browser are forwarded. */
import type { LoaderFunctionArgs } from 'react-router';

async function forward({ request }: LoaderFunctionArgs): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const url = pathname.replace('/api', process.env.API_URL ?? '') + search;
  const { method, headers } = request;
  const body = method === 'GET' ? undefined : await request.text();
  const type = headers.get('content-type');
  return fetch(url, { method, body, headers: type === null ? {} : { 'content-type': type } });
}

export { forward as action, forward as loader };
