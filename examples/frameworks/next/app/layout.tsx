import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { Providers } from './Providers';

export default async function RootLayout({ children }: { children: ReactNode }) {
  // rendered per request: a page that is rendered during the build has the data of the build
  await connection();
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
}
