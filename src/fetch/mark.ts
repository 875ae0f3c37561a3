/** Requests that must be asked again, as one commit. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import { commit } from './commit.ts';
import type { Desk } from './Desk.ts';

/** `invalidate`: their readers wait. `expire`: what is there is shown meanwhile. */
export function mark(
  desk: Desk,
  how: 'invalidate' | 'expire',
  records: readonly ResultRecord[],
): void {
  const { store } = desk;
  const time = store.tick();
  const change = () => store.commit(() => records.forEach((record) => record[how](time)));
  commit(desk, how, change, { again: records });
}
