/** Enums with a name as objects: `export const State = { done: 'done' } as const`. */
import { block, docComment, lay, valueKeyOf } from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import { list, member, objectAt } from './JsonObject.ts';
import { camel, isIdentifier } from './ModuleNames.ts';
import { literal } from './Shape.ts';

/** Extensions of generators with the names of an enum's values, in their order. */
const NAMES = ['x-enum-varnames', 'x-enumNames', 'x-enum-names'];
const DOCS = ['x-enum-descriptions', 'x-enumDescriptions'];

/** The object and the type of an enum; undefined for any other schema. */
export function enumText(name: string, schema: unknown): string | undefined {
  const values = list(schema, 'enum');
  const codes = values.map(literal);
  if (values.length === 0 || codes.includes(undefined)) return undefined;
  const names = namesOf(schema);
  const docs = DOCS.map((each) => list(schema, each)).find(({ length }) => length > 0) ?? [];
  const taken = new Set<string>();
  // a value that may be a key is the key
  const own = new Set(names.length > 0 ? [] : values.filter((value) => value === keyOf(value)));
  const parts = values.flatMap((value, at): CodePiece[] => {
    if (value === null) return [];
    const wanted = String(names[at] ?? keyOf(value));
    const key = free(wanted, own.has(value) ? taken : new Set([...taken, ...own]));
    taken.add(key);
    const doc = docs[at];
    const comment = typeof doc === 'string' ? docComment(doc) : '';
    return [[comment, `${valueKeyOf(key)}: ${codes[at]}`]];
  });
  if (parts.length === 0) return undefined;
  const end = values.includes(null) || isNullable(schema) ? ' | null' : '';
  const object = lay([`export const ${name} = `, block(parts), ' as const;']);
  return `${object}\nexport type ${name} = (typeof ${name})[keyof typeof ${name}]${end};`;
}

function namesOf(schema: unknown): readonly unknown[] {
  const named = NAMES.map((each) => list(schema, each)).find(({ length }) => length > 0);
  // of AutoRest
  const inside = list(objectAt(schema, 'x-ms-enum'), 'values');
  return named ?? inside.map((each) => member(each, 'name'));
}

const isNullable = (schema: unknown): boolean =>
  member(schema, 'nullable') === true || list(schema, 'type').includes('null');

/** `in-progress` is `inProgress`, 1 is `value1`. */
function keyOf(value: unknown): string {
  if (typeof value !== 'string') return `value${String(value).replace('-', 'Minus')}`;
  return isIdentifier(value) ? value : camel(value, 'empty');
}

function free(key: string, taken: ReadonlySet<unknown>): string {
  let name = key;
  for (let next = 2; taken.has(name); next++) name = `${key}${next}`;
  return name;
}
