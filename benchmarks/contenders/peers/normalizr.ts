/** normalizr: to tables and back. It holds nothing and tells nobody, so all works with views or changes are left out. */
import { denormalize, normalize, schema } from 'normalizr';
import { touch } from '../../Contender.ts';
import type { Contender, Row } from '../../Contender.ts';

const author = new schema.Entity('authors');
const tag = new schema.Entity('tags');
const article = new schema.Entity('articles', { author, tags: [tag] });

export function normalizr(): Contender {
  let stored: ReturnType<typeof normalize> = { entities: {}, result: [] };
  return {
    name: 'normalizr',
    ingest(rows) {
      const { entities, result } = normalize(rows, [article]);
      const merged: Record<string, object> = { ...(stored.entities as Record<string, object>) };
      for (const [name, table] of Object.entries(entities as Record<string, object>)) {
        merged[name] = { ...merged[name], ...table };
      }
      stored = { entities: merged, result };
    },
    readAll: () => touch(denormalize(stored.result, [article], stored.entities) as Row[]),
  };
}
