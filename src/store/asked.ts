/** What functions of the user's own say of members on their way into lists: asked before anything is written. */
import type { Entry } from '../schema/schema.ts';
import type { Coming } from './ListRecord.ts';
import { Record } from './Record.ts';
import type { Listed, ListTable, Taking } from './ListTable.ts';
import { NONE } from './more.ts';
import { knownOf } from './said.ts';
import type { Said } from './said.ts';

export interface Asked {
  /** The lists that take each member. */
  readonly lists: readonly Taking[];
  /** What is left to do where a merge decides; `time` is that of the memberships. */
  readonly apply: readonly {
    readonly list: Listed;
    readonly apply: (time: number | undefined) => void;
  }[];
}

/** They may throw: then nothing has happened yet. */
export function ask(table: ListTable, entry: Entry): Asked | undefined {
  const { members, merge, filter, how, keys, values } = entry;
  if (merge === undefined && filter === undefined) return undefined;
  const coming = new Map<Listed, Coming[]>();
  const lists = members.map((member, at) => {
    if (!(member instanceof Record)) return { certain: NONE, uncertain: NONE };
    const said = values[at] as Said;
    const taking = table.taking(entry, how === 'move' ? knownOf(member, said) : said);
    for (const list of taking.certain) {
      const those = coming.get(list) ?? [];
      those.push({ member, key: keys?.[at] });
      coming.set(list, those);
    }
    return taking;
  });
  if (merge === undefined) return { lists, apply: [] };
  const apply = Array.from(coming, ([list, those]) => ({
    list,
    apply: list.arranging(merge, those),
  }));
  return { lists, apply };
}
