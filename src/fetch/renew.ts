/** What becomes of a request that is answered by 304, Not Modified: what is stored counts as its answer. */
import { shown } from './accept.ts';
import type { Asked } from './Asked.ts';
import { change } from './commit.ts';
import type { Desk } from './Desk.ts';
import { listBehind } from './listBehind.ts';
import { refetchAmended } from './revalidate.ts';
import { stampOf } from './stampOf.ts';
import { vouchedOf } from './vouch.ts';

/** True for the refusal of a server that was asked whether what is stored still holds (RFC 9110, 15.4.5). */
export function isUnchanged({ exchange }: Asked, error: unknown): boolean {
  return exchange?.asked === true && (error as { status?: unknown } | undefined)?.status === 304;
}

/** False where what the server was asked about is there no more: it must be asked for all of it. */
export function stands({ store }: Desk, asked: Asked): boolean {
  if (vouchedOf(store, asked) === asked.exchange?.known) return true;
  const result = asked.resultIn(store);
  // overtaken, it says nothing of what is there now: that must be asked again, as after an answer with a body
  return asked.issued <= store.horizon(result) && result.has(store);
}

/** No value is written; readers run only where an invalidation or an error has kept the data from them. */
export function renew(desk: Desk, asked: Asked): unknown {
  const { store, inflight } = desk;
  inflight.end(asked);
  const result = asked.resultIn(store);
  result.list = listBehind(store, asked.endpoint, asked.args);
  const stamp = stampOf(desk, asked, result);
  change(desk, 'answer', () => result.answer(result.node, stamp), { by: asked });
  refetchAmended(desk, asked, result);
  return shown(result, store);
}
