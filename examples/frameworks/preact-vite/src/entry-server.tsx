/** Renders a request to a string: the markup, and the script with the data that it was made of. */
import { renderToStringAsync } from 'preact-render-to-string';
import { Controller } from 'signalbox';
import { endRequest, serverDataScript } from 'signalbox/ssr';
import { App } from './App';

export async function render(): Promise<{ html: string; data: string }> {
  const controller = new Controller();
  try {
    const html = await renderToStringAsync(<App controller={controller} />);
    return { html, data: serverDataScript(controller) };
  } finally {
    endRequest(controller);
  }
}
