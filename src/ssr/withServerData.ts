/** Web streams: HTML with the data of a controller. */
import { checkArgument, DEV } from '../errors.ts';
import { keepAlive, systemClock } from '../clock.ts';
import type { Controller } from '../Controller.ts';
import { endRequest, ServerData } from './ServerData.ts';
import type { ServerDataOptions } from './ServerData.ts';
import { HtmlScriptInjector } from './HtmlScriptInjector.ts';

type Chunk = string | Uint8Array;
type Step = ReadableStreamReadResult<Chunk>;

/**
 * The HTML of `renderToReadableStream` (React), `renderToReadableStream` of preact-render-to-string/stream, or any
 * other stream of HTML, with a script before each part that was rendered from new data. When the stream ends, or the
 * client disconnects, the request is ended: see `endRequest`.
 */
export function withServerData(
  html: ReadableStream<Chunk>,
  controller: Controller,
  options?: ServerDataOptions,
): ReadableStream<Uint8Array> {
  if (DEV) checkArgument('getReader' in Object(html), 'withServerData', html, 'a ReadableStream');
  const reader = html.getReader();
  const end = () => endRequest(controller);
  const flushes = flushesOf(reader, end);
  const injector = new HtmlScriptInjector(new ServerData(controller, options));
  return new ReadableStream<Uint8Array>({
    async pull(out) {
      // a stream calls `pull` again only after a chunk
      for (let parts: Uint8Array[] = []; parts.length === 0;) {
        const { value, done } = await flushes.next();
        if (done === true) return out.close();
        for (const chunk of value) injector.add(chunk);
        parts = injector.flush();
        for (const part of parts) out.enqueue(part);
      }
    },
    async cancel(reason) {
      end();
      // at once, also while the renderer writes nothing
      await reader.cancel(reason);
    },
  });
}

/**
 * Joins the chunks that a renderer writes without a pause: chunks may end anywhere, even inside a tag. `onEnd` is called
 * after the last chunk, or when the renderer fails.
 */
async function* flushesOf(
  reader: ReadableStreamDefaultReader<Chunk>,
  onEnd: () => void,
): AsyncGenerator<Chunk[], void> {
  try {
    let next: Promise<Step> = reader.read();
    for (let step: Step = await next; !step.done; step = await next) {
      const chunks: Chunk[] = [];
      let now: Step | undefined = step;
      while (now !== undefined && !now.done) {
        chunks.push(now.value);
        next = reader.read();
        now = await Promise.race([next, pause()]);
      }
      yield chunks;
    }
  } finally {
    onEnd();
  }
}

function pause(): Promise<undefined> {
  return new Promise((resolve) => keepAlive(systemClock.after(0, () => resolve(undefined))));
}
