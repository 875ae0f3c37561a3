/** Whether what is stored of a request is its server's answer to the letter: only then "not modified" says so of it. */
import type { Told } from '../endpoint/Exchange.ts';
import { below } from '../store/eachRecord.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import type { Asked } from './Asked.ts';

const NOTHING: Told = {};

/*
 * What an answer brings may have to give way to what is newer, and any of it may be written by others later. What is shown
 * then is another value, and a server that goes back to the answer it gave before would confirm what it never said.
 * So an answer that was laid over nothing newer is remembered by the value that readers get of it: as long as they get the
 * same reference, the data are the same. (A written entity gets a new one, and so does whatever shows it.)
 */

/** To be run when the answer has been committed. */
export function vouch({ layers }: Store, result: ResultRecord, asked: Asked, data: unknown): void {
  result.vouched = undefined;
  const told = asked.exchange?.told;
  if (told?.condition === undefined || !layers.none) return;
  for (const { latest } of below(result)) if (latest > asked.issued) return;
  result.vouched = { told, data };
}

/** What was said of the stored answer, as long as it stands; undefined where there is none. */
export function vouchedOf(store: Store, asked: Asked): Told | undefined {
  const result = asked.resultIn(store);
  const { vouched, answered } = result;
  if (vouched !== undefined && shows(result, store, vouched.data)) return vouched.told as Told;
  result.vouched = undefined;
  return answered ? NOTHING : undefined;
}

/** False also where a function of the schema throws: that is for those who read. */
function shows(result: ResultRecord, store: Store, data: unknown): boolean {
  try {
    return result.data(store) === data;
  } catch {
    return false;
  }
}
