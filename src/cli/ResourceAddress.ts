/** Paths as this library writes them, and what their params are called. */
import type { Definition } from './Document.ts';
import type { Identities } from './Identities.ts';
import { camel, paramName, singular } from './ModuleNames.ts';
import type { DescribedOperation } from './DescribedOperation.ts';
import type { Path } from './Path.ts';

/** Whose rows a path lists; their key must not be the name of a param, which says which list it is. */
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

  /** Params are called as in the description, unless that is no name, or means something else in this path, too. */
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

/** Signs that mean something in a path are escaped, and what would go on with the name of a param. */
function escaped(text: string, afterParam: boolean): string {
  const signs = text.replace(/[:*{}?\\()]/g, '\\$&');
  return afterParam ? signs.replace(/^[\w$]/, '\\$&') : signs;
}
