/** @jsxImportSource solid-js */
/** The list in Solid, and the document around a page that is streamed. */
import { For, Suspense } from 'solid-js';
import type { JSX } from 'solid-js';
import { generateHydrationScript, HydrationScript } from 'solid-js/web';
import type { Row } from '../Page.ts';

export function List(props: { readonly rows: readonly Row[] }) {
  return (
    <ul>
      <For each={props.rows}>
        {(row) => (
          <li title={row.title}>
            <b>{row.title}</b> ({row.author.name})
          </li>
        )}
      </For>
    </ul>
  );
}

export function Boundary(props: { readonly children: JSX.Element }) {
  return <Suspense fallback={<p>loading</p>}>{props.children}</Suspense>;
}

export function Document(props: { readonly children: JSX.Element }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>issues</title>
        <HydrationScript />
      </head>
      <body>{props.children}</body>
    </html>
  );
}

export const head: string = generateHydrationScript();
