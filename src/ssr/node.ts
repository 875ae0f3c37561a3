/** signalbox/ssr/node: `withServerData` for the streams of Node. */
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';
import { keepAlive, systemClock } from '../clock.ts';
import type { Controller } from '../Controller.ts';
import { endRequest, ServerData } from './ServerData.ts';
import type { ServerDataOptions } from './ServerData.ts';
import { HtmlScriptInjector } from './HtmlScriptInjector.ts';

/**
 * `pipeline(pipe(serverDataTransform(controller)), response, done)`: HTML of `renderToPipeableStream` (React, Preact)
 * or `renderToStream` (Solid), with a script before each part that was rendered from new data. When the stream ends, or
 * the client disconnects, the request is ended: see `endRequest`. Use `pipeline`, which detects a disconnect.
 */
export function serverDataTransform(
  controller: Controller,
  options?: ServerDataOptions,
): Transform {
  const injector = new HtmlScriptInjector(new ServerData(controller, options));
  let timer: unknown;
  const flush = (out: Transform) => {
    systemClock.clear(timer);
    timer = undefined;
    for (const part of injector.flush()) out.push(part);
  };
  return new Transform({
    // a renderer writes each flush without a pause, in chunks that may end anywhere, even inside a tag
    transform(chunk: Uint8Array, _encoding, done: TransformCallback) {
      injector.add(chunk);
      timer ??= keepAlive(systemClock.after(0, () => flush(this)));
      done();
    },
    flush(done) {
      flush(this);
      done();
    },
    destroy(error, done) {
      systemClock.clear(timer);
      endRequest(controller);
      done(error);
    },
  });
}
