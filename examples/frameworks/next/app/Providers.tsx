'use client';
/** The controller of a request on the server, and of the page in the browser; its data travel in the HTML stream. */
import { useServerInsertedHTML } from 'next/navigation';
import { useState, type ReactNode } from 'react';
import { Controller } from 'signalbox';
import { Provider } from 'signalbox/react';
import { createServerDataCode, receiveServerData } from 'signalbox/ssr';

function createClient() {
  const controller = new Controller();
  return { controller, nextCode: createServerDataCode(controller) };
}

let pageClient: ReturnType<typeof createClient> | undefined;

/** One per request on the server. One per page in the browser: React may begin the first render more than once. */
function getClient() {
  if (typeof window === 'undefined') return createClient();
  if (pageClient === undefined) {
    pageClient = createClient();
    receiveServerData(pageClient.controller);
  }
  return pageClient;
}

export function Providers({ nonce, children }: { nonce?: string; children: ReactNode }) {
  const [{ controller, nextCode }] = useState(getClient);
  // runs on the server before each part of the stream
  useServerInsertedHTML(() => {
    const code = nextCode();
    return code === '' ? null : <script nonce={nonce} dangerouslySetInnerHTML={{ __html: code }} />;
  });
  return <Provider controller={controller}>{children}</Provider>;
}
