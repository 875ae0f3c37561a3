/** What the apps say, and small things that they all need. */
import { NetworkError } from 'signalbox';

/** Why something did not go as it should, for who reads it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof NetworkError)) return 'Something went wrong.';
  return error.response === undefined
    ? 'The server does not answer.'
    : `The server refused (${error.status}).`;
}

export function leftOf(all: number, done: number): string {
  return `${all - done} left`;
}

/** Up to two letters for a person. */
export function initialsOf(name: string | undefined): string {
  return (name ?? '')
    .split(' ')
    .map(([letter = '']) => letter)
    .join('')
    .slice(0, 2);
}

/** For requests whose failure `Notice` tells. */
export function quietly(request: Promise<unknown>): void {
  request.catch(() => {});
}
