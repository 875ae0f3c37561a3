/** Paths of the description, split at their slashes, and the same paths in this library's notation. */
import { paramName, paramVariable, isPlainParam, camel, singular } from './ModuleNames.ts';
import type { Definition } from './ApiDocument.ts';
import type { Identities } from './Identities.ts';

/**
 * A part of a path: text, or `{name}`; `lead` is the text that the style needs before the value. A key of OData stands
 * in `brackets`, without a slash before.
 */
export type Step =
  | { readonly text: string }
  | {
      readonly param: string;
      readonly lead?: string;
      readonly brackets?: readonly [open: string, close: string];
    };

/** A path split at the slashes; the last segment is empty if the path ends with a slash. */
export type Path = readonly (readonly Step[])[];

/** The steps of a path; `leads` has the text that the styles of params write before their values. */
export const parseSteps = (text: string, leads: ReadonlyMap<string, string> = new Map()): Path =>
  text
    .split('/')
    .slice(1)
    .flatMap((segment) => segmentsOf(segment, leads));

/** The steps of a segment; `Users({id})` of OData is two segments, as `Users/{id}` is. */
function segmentsOf(segment: string, leads: ReadonlyMap<string, string>): Step[][] {
  const [, list, quote = '', param] = /^([\w.]+)\(('?)\{([^{}]+)\}\2\)$/.exec(segment) ?? [];
  if (list === undefined || param === undefined) return [stepsOf(segment, leads)];
  return [[{ text: list }], [{ param, brackets: [`(${quote}`, `${quote})`] }]];
}

function stepsOf(segment: string, leads: ReadonlyMap<string, string>): Step[] {
  const parts = segment.split(/\{([^{}]+)\}/);
  return parts.flatMap((part, at): Step[] => {
    if (at % 2 === 1) return [{ param: part, lead: leads.get(part) ?? '' }];
    return part === '' ? [] : [{ text: part }];
  });
}

/** The name of a segment that is a single `{name}`, optionally with a file extension: `{name}.json`. */
export function paramOf(segment: readonly Step[] | undefined): string | undefined {
  const [first, second, third] = segment ?? [];
  if (first === undefined || !('param' in first) || third !== undefined) return undefined;
  const isWhole = second === undefined || ('text' in second && isExtension(second.text));
  return isWhole ? first.param : undefined;
}

/** True for `.json`. */
const isExtension = (text: string): boolean => /^\.[a-z]\w{0,4}$/i.test(text);

/** The params at the end of a path, with nothing in between. */
export function trailing(segments: Path): string[] {
  const found: string[] = [];
  const last = segments.at(-1)?.length === 0 ? segments.slice(0, -1) : segments;
  for (const segment of [...last].reverse()) {
    const param = paramOf(segment);
    if (param === undefined) break;
    found.unshift(param);
  }
  return found;
}

/** A path without the slash at the end, and without `.json`. */
export function withoutEnd(segments: Path): Path {
  const all = segments.at(-1)?.length === 0 ? segments.slice(0, -1) : segments;
  const last = all.at(-1) ?? [];
  const end = last.at(-1);
  if (end === undefined || !('text' in end)) return all;
  if (last.length > 1 && isExtension(end.text)) return [...all.slice(0, -1), last.slice(0, -1)];
  const text = end.text.replace(/(?<=.)\.(?:json|xml)$/i, '');
  return [...all.slice(0, -1), [...last.slice(0, -1), { text }]];
}

/** The text of a segment, without the params. */
export function segmentText(segment: Path[number] | undefined): string {
  return (segment ?? []).map((step) => ('text' in step ? step.text : '')).join('');
}

/** True for `/todos` and `/todos/` above `/todos/{id}`, and for `/todos.json` above `/todos/{id}.json`. */
export function isAbove(segments: Path, detail: Path): boolean {
  const [list, one] = [withoutEnd(segments), withoutEnd(detail)];
  return list.length === one.length - 1 && begins(one, list);
}

/** True if `path` begins with `start`; the names of params do not matter. */
export function begins(path: Path, start: Path): boolean {
  return start.every((segment, at) => {
    const other = path[at];
    return (
      other !== undefined &&
      other.length === segment.length &&
      segment.every((step, index) => {
        const otherStep = other[index];
        return (
          otherStep !== undefined &&
          ('text' in step
            ? 'text' in otherStep && otherStep.text === step.text
            : 'param' in otherStep)
        );
      })
    );
  });
}

/** True for equal paths; the names of params do not matter. */
export const isSame = (first: Path, second: Path): boolean =>
  first.length === second.length && begins(first, second);

/** A path in the notation of the description. */
export function textOfPath(path: Path): string {
  return path
    .map((segment) => {
      const text = segment.map((step) =>
        'text' in step ? step.text : `${openOf(step)}{${step.param}}${closeOf(step)}`,
      );
      return slashOf(segment) + text.join('');
    })
    .join('');
}

const slashOf = ([first]: readonly Step[]): string =>
  first !== undefined && 'param' in first && first.brackets !== undefined ? '' : '/';

type Param = Extract<Step, { readonly param: string }>;
const openOf = ({ brackets }: Param): string => brackets?.[0] ?? '';
const closeOf = ({ brackets }: Param): string => brackets?.[1] ?? '';

/** A path as a regular expression with the params as groups; undefined if a param is no name of a group. */
export function patternOf(segments: Path): string | undefined {
  const named = new Set<string>();
  const params = segments.flat().flatMap((step) => ('param' in step ? [step.param] : []));
  if (!params.every(isPlainParam)) return undefined;
  const group = (name: string, lead = '') => {
    const isNew = !named.has(name);
    named.add(name);
    return escapeRegExp(lead) + (isNew ? `(?<${name}>[^/]+)` : '[^/]+');
  };
  const steps = withoutEnd(segments).map((segment) =>
    segment
      .map((step) =>
        'text' in step
          ? escapeRegExp(step.text)
          : escapeRegExp(openOf(step)) + group(step.param, step.lead) + escapeRegExp(closeOf(step)),
      )
      .join(''),
  );
  const slashes = segments.map((each) => slashOf(each).replace('/', '\\/'));
  return `${steps.map((step, at) => (slashes[at] ?? '') + step).join('')}$`;
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * The record type of the rows at a path. A param selects the list, and so must not have the name of the rows' key.
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
  template(segments: Path): string {
    const names = this.#names(segments);
    let at = 0;
    return segments
      .map((segment) => {
        let text = slashOf(segment);
        for (const step of segment) {
          if ('param' in step) {
            const lead = escapeInTemplate(openOf(step) + (step.lead ?? ''), text.length > 1);
            const close = escapeInTemplate(closeOf(step), true);
            text += `${lead}:${inTemplate(names[at++] as string)}${close}`;
          } else text += escapeInTemplate(step.text, text.length > 1);
        }
        return text;
      })
      .join('');
  }

  /** Params keep the name in the description, unless that name has another meaning in this path. */
  #names(segments: Path): string[] {
    const rows = this.rowsOf(segments);
    const taken = new Set(rows === undefined ? [] : this.#identities.fieldsOf(rows));
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

/** The name of a param after the colon. */
const inTemplate = (name: string): string => (isPlainParam(name) ? name : `"${name}"`);

/** `users` before a param gives `userId`. */
function aboveOf(segments: Path, at: number): string {
  const step = segments[at - 1]?.[0];
  return step !== undefined && 'text' in step
    ? paramVariable(camel(`${singular(step.text)} id`, 'parent'))
    : 'parentId';
}

function free(name: string, above: string, isFree: (candidate: string) => boolean): string {
  if (isFree(name)) return name;
  let candidate = above;
  for (let next = 2; !isFree(candidate); next++) candidate = `${above}${next}`;
  return candidate;
}

/** Escapes characters with a meaning in a path, and characters that would extend the name of the param before. */
function escapeInTemplate(text: string, afterParam: boolean): string {
  const signs = text.replace(/[:*{}?\\()]/g, '\\$&');
  return afterParam ? signs.replace(/^[\w$]/, '\\$&') : signs;
}
