/** The links of `manyToMany`: several links of one entity may lead to one row, which is shown once. */
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';

export class LinkTable {
  readonly #rowOfLink = new Map<EntityRecord, EntityRecord>();
  readonly #linksOfRow = new Map<EntityRecord, Set<EntityRecord>>();

  /** The links that lead to a row. */
  linksOf(row: EntityRecord): Iterable<EntityRecord> {
    return this.#linksOfRow.get(row) ?? [];
  }

  /** Sets the row of a link; undefined: the link is gone. Returns the row before. */
  set(link: EntityRecord, row: EntityRecord | undefined): EntityRecord | undefined {
    const before = this.#rowOfLink.get(link);
    if (before === row) return before;
    if (before !== undefined) this.#remove(link, before);
    if (row === undefined) this.#rowOfLink.delete(link);
    else this.#add(link, row);
    return before;
  }

  #add(link: EntityRecord, row: EntityRecord): void {
    this.#rowOfLink.set(link, row);
    const links = this.#linksOfRow.get(row);
    if (links === undefined) this.#linksOfRow.set(row, new Set([link]));
    else links.add(link);
  }

  #remove(link: EntityRecord, row: EntityRecord): void {
    const links = this.#linksOfRow.get(row);
    links?.delete(link);
    if (links?.size === 0) this.#linksOfRow.delete(row);
  }

  hasLinks(row: EntityRecord): boolean {
    return this.#linksOfRow.has(row);
  }

  /** Rows are ordered by the arrival of their first link. */
  rankOf(row: EntityRecord): number {
    let rank = Infinity;
    for (const { arrivalNumber } of this.linksOf(row)) rank = Math.min(rank, arrivalNumber);
    return rank;
  }
}
