/** The rows of a list for a request: filtered by members, cut by page, offset or cursor. */
import type { Json, Parameter } from './Description.ts';
import { plain } from './MockRows.ts';

export interface Asking {
  /** The member that identifies a row. */
  readonly key: string | undefined;
  readonly search: URLSearchParams;
  /** The search parameters that the operation has. */
  readonly query: readonly Parameter[];
  readonly address: string;
}

export interface Page {
  readonly rows: readonly Json[];
  /** `link`, if the list has numbered pages and a next page. */
  readonly headers: Record<string, string>;
  readonly more: boolean;
}

const SIZE = /^(?:perpage|pagesize|limit|first)$/;
const CURSOR = /^(?:startingafter|after|cursor|marker)$/;
const DEFAULT_SIZE = 30;

export function pageOf(all: readonly Json[], { key, search, query, address }: Asking): Page {
  const value = (names: RegExp): string | undefined =>
    [...search].find(([name]) => names.test(plain(name)))?.[1];
  const fitting = all.filter((row) => fits(row, search));
  const size = Number(value(SIZE) ?? DEFAULT_SIZE);
  const page = Number(value(/^page$/) ?? 1);
  const cursor = value(CURSOR);
  const after = fitting.findIndex((row) => key !== undefined && String(row[key]) === cursor) + 1;
  const start = Number(value(/^(?:offset|skip)$/) ?? after) + (page - 1) * size;
  const more = fitting.length > start + size;
  const numbered = query.find(({ name }) => plain(name) === 'page');
  const next = new URLSearchParams(search);
  if (numbered !== undefined) next.set(numbered.name, String(page + 1));
  const headers: Record<string, string> = {};
  if (more && numbered !== undefined) headers['link'] = `<${address}?${next}>; rel="next"`;
  return { rows: fitting.slice(start, start + size), headers, more };
}

/** A search parameter with the name of a plain member filters the rows by that member. */
function fits(row: Json, search: URLSearchParams): boolean {
  return [...search].every(([name, value]) => {
    const member = row[name];
    const filters = typeof member === 'string' || typeof member === 'number';
    return !filters || value === 'all' || String(member) === value;
  });
}
