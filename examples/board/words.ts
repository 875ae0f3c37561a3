/** The columns and tags of the board, and small things that its components share. */
import { NetworkError } from 'signalbox';

export const statuses = ['todo', 'doing', 'done'] as const;
export const tags = ['bug', 'docs', 'idea'] as const;

export type Status = (typeof statuses)[number];

/** Why a change did not happen. */
export function reasonOf(error: unknown): string {
  const status = error instanceof NetworkError && error.response?.status;
  return status ? `The server refused (${status}).` : 'The server does not answer.';
}

/** For changes whose failure `Notice` shows. */
export function quietly(request: Promise<unknown>): void {
  request.catch(() => {});
}

/** The text of the only field of a form, which is emptied. */
export function takeText(form: HTMLFormElement): string {
  const text = String(new FormData(form).get('text')).trim();
  form.reset();
  return text;
}

/** The rank of a card that is put before the card at an index. */
export function rankBefore(cards: readonly { readonly rank: number }[], at: number): number {
  const before = cards[at - 1]?.rank;
  const after = cards[at]?.rank;
  if (before === undefined) return (after ?? 2) - 1;
  return after === undefined ? before + 1 : (before + after) / 2;
}
