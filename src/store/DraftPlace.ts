/** What a draft stands in. */
import type { Entry, ListKind, Sink, StoredKind } from '../schema/schema.ts';
import type { Layer } from './Layer.ts';
import type { Layers } from './Layers.ts';
import type { ListChanges } from './ListChanges.ts';
import type { ListTable } from './ListTable.ts';
import type { ListTables } from './listTables.ts';
import type { Builder } from './Record.ts';
import type { Tables as ByKind } from './refile.ts';
import type { Renaming } from './Renaming.ts';
import type { Sweep } from './Sweep.ts';
import type { Table } from './Table.ts';

/** What a draft needs of the store. */
export interface DraftPlace extends Builder {
  table(kind: StoredKind): Table;
  readonly tables: ByKind;
  /** Logical time at which the oldest request still under way was issued; Infinity without one. */
  readonly oldest: () => number;
  readonly layers: Layers;
  readonly sweep: Sweep;
  /** The tables of lists that an entry of `kind` enters, and of those that it may change. */
  listTables(kind: ListKind, address?: Entry['address']): ListTables;
  /** All tables of lists that entities of this table may be in. */
  listsOf(entities: StoredKind['table']): readonly ListTable[];
  readonly changes: ListChanges;
  /** Loads what persistence has not loaded yet. */
  readonly complete: (() => void) | undefined;
}

/** What the answer stands in the place of. */
export interface Instead {
  /** What was shown so far; it names what the answer does not. */
  readonly layer?: Layer | undefined;
  readonly mint?: Sink['mint'];
  /** It may give an entity another key. */
  readonly renaming?: Renaming | undefined;
}
