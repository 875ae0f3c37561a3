/** @jsxImportSource react */
/** The list in React, and the document around a page that is streamed. */
import { Suspense } from 'react';
import type { ReactNode } from 'react';
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

export function Boundary({ children }: { readonly children: ReactNode }) {
  return <Suspense fallback={<p>loading</p>}>{children}</Suspense>;
}

export function Document({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>issues</title>
      </head>
      <body>{children}</body>
    </html>
  );
}
