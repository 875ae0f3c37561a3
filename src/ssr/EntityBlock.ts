/** Entities in the scripts of a page: the names of their fields are sent once for a run of entities. */
import { setOwn } from '../schema/fieldOf.ts';
import type { Json } from '../schema/wire.ts';
import type { DehydratedEntity } from './Dehydrator.ts';

type EncodedFields = Readonly<Record<string, Json>>;

/**
 * Entities with consecutive numbers and the same fields: the number of the first entity, the names, the index of the
 * primary key among the values, and the values of each entity. If no field contains the primary key, it follows the
 * values.
 */
export type EntityBlock = readonly [
  first: number,
  names: readonly string[],
  pkIndex: number,
  ...rows: (readonly Json[])[],
];

/** Groups the entities of one script. */
export function toBlocks(entities: readonly DehydratedEntity[]): EntityBlock[] {
  const blocks: EntityBlock[] = [];
  let next = NaN;
  let names: readonly string[] = [];
  let pkIndex = 0;
  for (const [number, pk, fields] of entities) {
    const row: Json[] = Object.values(fields as EncodedFields);
    const ownNames = Object.keys(fields as EncodedFields);
    row.push(pk);
    const fits = number === next && String(row[pkIndex]) === pk && areEqual(names, ownNames);
    if (!fits) {
      names = ownNames;
      pkIndex = row.findIndex((value) => String(value) === pk);
      blocks.push([number, names, pkIndex]);
    }
    if (pkIndex < names.length) row.pop();
    (blocks.at(-1) as unknown as Json[]).push(row);
    next = number + 1;
  }
  return blocks;
}

function areEqual(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name, at) => name === others[at]);
}

/** The entities of the blocks. Throws for a malformed block. */
export function fromBlocks(blocks: readonly EntityBlock[]): DehydratedEntity[] {
  return blocks.flatMap(([first, names, pkIndex, ...rows]) =>
    rows.map((row, at): DehydratedEntity => {
      const fields: Record<string, Json> = {};
      names.forEach((name, index) => setOwn(fields, name, row[index]));
      return [first + at, String(row[pkIndex]), fields];
    }),
  );
}
