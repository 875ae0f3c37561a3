/** The floor: nothing can store an answer that has not been parsed. It stores nothing, so all other works are left out. */
import type { Contender } from '../Contender.ts';

export function jsonParse(): Contender {
  let parsed: unknown;
  return {
    name: 'JSON.parse',
    ingest(_, json) {
      parsed = JSON.parse(json);
      if (parsed === undefined) throw new Error('nothing parsed');
    },
  };
}
