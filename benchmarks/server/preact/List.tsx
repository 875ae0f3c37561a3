/** @jsxImportSource preact */
/** The list in Preact, and the document around a page that is streamed. */
import type { ComponentChildren } from 'preact';
import { Suspense } from 'preact/compat';
import type { Row } from '../Page.ts';

export function List({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <ul>
      {rows.map(({ id, title, author }) => (
        <li key={id} title={title}>
          <b>{title}</b> ({author.name})
        </li>
      ))}
    </ul>
  );
}

export function Boundary({ children }: { readonly children: ComponentChildren }) {
  return <Suspense fallback={<p>loading</p>}>{children}</Suspense>;
}

export function Document({ children }: { readonly children: ComponentChildren }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>issues</title>
      </head>
      <body>{children}</body>
    </html>
  );
}
