/** Finds a discriminator in the schemas' own literals, if the document declares none. */
import type { Definition, Document } from './Document.ts';
import { objectAt, isFields, list } from './JsonObject.ts';
import { NULL } from './Shape.ts';
import type { Discriminator, Shape } from './Shape.ts';

/** A member with different literals in each schema: `kind: 'post'` and `kind: 'link'`. */
export function byLiteral(given: readonly Shape[], document: Document): Discriminator | undefined {
  const variants = given.filter((each) => each !== NULL);
  const named = variants.flatMap((each) => (each.is === 'name' ? [each.of] : []));
  const [first, ...others] = named;
  if (first === undefined || others.length === 0 || named.length < variants.length)
    return undefined;
  for (const field of Object.keys(objectAt(first.schema, 'properties'))) {
    const names = new Map<string, Definition>();
    const all = named.map((of) => ({ of, words: wordsOf(of, field, document) }));
    for (const { of, words } of all) for (const word of words) names.set(word, of);
    const count = all.reduce((sum, { words }) => sum + words.length, 0);
    if (all.every(({ words }) => words.length > 0) && names.size === count) return { field, names };
  }
  return undefined;
}

/** The possible literals of the member; none if any text is possible. */
function wordsOf({ schema }: Definition, field: string, document: Document): string[] {
  if (!list(schema, 'required').includes(field)) return [];
  const said = document.resolve(objectAt(schema, 'properties')[field]);
  const words =
    isFields(said) && Object.hasOwn(said, 'const') ? [said['const']] : list(said, 'enum');
  return words.every((word) => typeof word === 'string') ? (words as string[]) : [];
}
