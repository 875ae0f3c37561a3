/** The literal query of a path template. */

/** A path, and the literal query at its end. A query with params, or with optional parts, stays in the path. */
export function splitQuery(template: string): readonly [path: string, query: string] {
  const at = /\?[\w.~-]+=[^:{}()*?]*$/.exec(template)?.index;
  return at === undefined ? [template, ''] : [template.slice(0, at), template.slice(at + 1)];
}
