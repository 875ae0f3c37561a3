/** The query that a path template writes out. */

/** A path, and the query that is written out at its end; params in a query, or optional ones, stay in the path. */
export function splitQuery(template: string): readonly [path: string, query: string] {
  const at = /\?[\w.~-]+=[^:{}()*?]*$/.exec(template)?.index;
  return at === undefined ? [template, ''] : [template.slice(0, at), template.slice(at + 1)];
}
