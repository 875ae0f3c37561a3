/** Requests that must be asked again, as one commit. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import { change } from './commit.ts';
import type { Desk } from './Desk.ts';

/** `invalidate`: their readers wait. `expire`: what is there is shown meanwhile. */
export function mark(
  desk: Desk,
  how: 'invalidate' | 'expire',
  records: readonly ResultRecord[],
): void {
  const time = desk.store.tick();
  const work = () => records.forEach((record) => record[how](time));
  change(desk, how, work, { again: records });
}
