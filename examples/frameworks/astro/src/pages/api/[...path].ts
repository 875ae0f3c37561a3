/** The API under the origin of the page: requests of the browser are forwarded. */
import type { APIRoute } from 'astro';

export const ALL: APIRoute = ({ request, params: { path = '' } }) =>
  fetch(`${process.env.API_URL}/${path}`, { method: request.method });
