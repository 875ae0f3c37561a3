/** What comes before the first drawing: where `?mock` asks for it, the server in the page. */
import { mocked } from './server.ts';

/** Resolves with the place to draw in. */
export async function prepare(): Promise<HTMLElement> {
  if (mocked) await (await import('./mock.ts')).startMock();
  return document.getElementById('app') as HTMLElement;
}
