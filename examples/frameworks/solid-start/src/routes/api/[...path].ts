/** The API under the origin of the page: requests of the browser are forwarded. */
import type { APIEvent } from '@solidjs/start/server';

export const GET = ({ params }: APIEvent) => fetch(`${process.env.API_URL}/${params.path}`);
