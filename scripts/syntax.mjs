/** Reading code: files, their syntax trees, and the names in these. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

export function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const parsed = new Map();

/** The syntax tree of a file as it was when it was first asked for. */
export function parse(path) {
  if (!parsed.has(path)) parsed.set(path, parseSync(path, readFileSync(path, 'utf8')).program);
  return parsed.get(path);
}

/** Calls `visit` with each node, its parent, and the field of the parent in which it stands; false: without what is in it. */
export function walk(node, visit, parent, field) {
  if (Array.isArray(node)) return node.forEach((each) => walk(each, visit, parent, field));
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string' && visit(node, parent, field) === false) return;
  for (const [name, child] of Object.entries(node)) walk(child, visit, node, name);
}

export const nameOf = (node) => node?.name ?? node?.value;

/** The names that a statement declares, exported or not. */
export function declaredBy(statement) {
  const exported = statement.type === 'ExportNamedDeclaration';
  const declaration = exported ? statement.declaration : statement;
  const each = declaration?.declarations ?? [declaration];
  return each.map((one) => nameOf(one?.id)).filter((name) => name !== undefined);
}
