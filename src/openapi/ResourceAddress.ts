/** Paths in this library's notation, and the names of their params. */
import type { Definition } from './Document.ts';
import type { Identities } from './Identities.ts';
import { camel, paramName, singular } from './ModuleNames.ts';
import type { DescribedOperation } from './DescribedOperation.ts';
import type { Path } from './Path.ts';

/**
 * The record type of the rows at a path. A param must not have the name of the rows' key, since it selects the list.
 */
export type RowsOf = (segments: Path) => Definition | undefined;

export class ResourceAddress {
  readonly #identities: Identities;
  readonly rowsOf: RowsOf;

  constructor(identities: Identities, rowsOf: RowsOf) {
    this.#identities = identities;
    this.rowsOf = rowsOf;
  }

  /** `/users/{userId}/posts/{postId}` as `/users/:userId/posts/:postId`. */
  template({ segments, query }: Pick<DescribedOperation, 'segments' | 'query'>): string {
    const names = this.#names(
      segments,
      query.map(({ name }) => name),
    );
    let at = 0;
    return segments
      .map((segment) => {
        let text = '/';
        for (const step of segment) {
          if ('param' in step) text += `:${names[at++]}`;
          else text += escaped(step.text, text.length > 1);
        }
        return text;
      })
      .join('');
  }

  /** Params keep their name in the description, unless it is no identifier, or has another meaning in this path. */
  #names(segments: Path, query: readonly string[]): string[] {
    const rows = this.rowsOf(segments);
    const taken = new Set([
      ...(rows === undefined ? [] : this.#identities.fieldsOf(rows)),
      ...query,
    ]);
    const names: string[] = [];
    for (const [at, segment] of segments.entries()) {
      for (const step of segment) {
        if (!('param' in step)) continue;
        const name = free(paramName(step.param), aboveOf(segments, at), (each) => !taken.has(each));
        taken.add(name);
        names.push(name);
      }
    }
    return names;
  }
}

/** `users` before a param gives `userId`. */
function aboveOf(segments: Path, at: number): string {
  const step = segments[at - 1]?.[0];
  return step !== undefined && 'text' in step
    ? paramName(camel(`${singular(step.text)} id`, 'parent'))
    : 'parentId';
}

function free(said: string, above: string, fits: (name: string) => boolean): string {
  if (fits(said)) return said;
  let name = above;
  for (let next = 2; !fits(name); next++) name = `${above}${next}`;
  return name;
}

/** Escapes characters with a meaning in a path, and characters that would extend the name of a param before them. */
function escaped(text: string, afterParam: boolean): string {
  const signs = text.replace(/[:*{}?\\()]/g, '\\$&');
  return afterParam ? signs.replace(/^[\w$]/, '\\$&') : signs;
}
