/** The operations of a document: what each takes, and what it answers. */
import type { Document } from './Document.ts';
import { fields, isFields, list, member, text } from './Fields.ts';
import type { Fields } from './Fields.ts';
import { camel, singular } from './Names.ts';
import { docOf } from './Shape.ts';
import type { Member, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A part of a path: text, or `{name}`. */
export type Step = { readonly text: string } | { readonly param: string };

/** How a body is sent or read, where it is not JSON. */
export type Form = 'json' | 'form' | 'search' | 'text' | 'bytes' | 'stream';

export interface Operation {
  /** The operationId as an identifier, else made of method and path. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  /** The path between its slashes; the last is empty where it ends with one. */
  readonly segments: readonly (readonly Step[])[];
  readonly query: readonly Member[];
  readonly body: { readonly form: Form; readonly shape: Shape } | undefined;
  readonly answer: Answer;
  readonly doc: string | undefined;
}

/** What comes of a success; without a shape nothing does. */
export interface Answer {
  readonly form: Form;
  readonly shape: Shape | undefined;
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** All operations, in the order of the document. */
export function operationsOf(document: Document, shapes: Shapes): Operation[] {
  const reading = new Reading(document, shapes);
  const read = () =>
    Object.entries(document.paths).flatMap(([path, value]) => {
      const item = document.resolve(value);
      if (!path.startsWith('/') || !isFields(item)) return [];
      return METHODS.flatMap((method) => {
        const said = item[method.toLowerCase()];
        return isFields(said) ? [reading.operation(method, path, { item, said })] : [];
      });
    });
  // rows may come before the path that gives them a name
  read();
  return read();
}

class Reading {
  readonly #document: Document;
  readonly #shapes: Shapes;

  constructor(document: Document, shapes: Shapes) {
    this.#document = document;
    this.#shapes = shapes;
  }

  operation(
    method: Method,
    path: string,
    { item, said }: Record<'item' | 'said', Fields>,
  ): Operation {
    return {
      name: camel(text(said, 'operationId') ?? `${method.toLowerCase()} ${path}`),
      method,
      path,
      segments: path.split('/').slice(1).map(stepsOf),
      query: this.#query([...list(item, 'parameters'), ...list(said, 'parameters')]),
      body: method === 'GET' ? undefined : this.#body(said),
      answer: this.#answer(said, path),
      doc: text(said, 'summary') ?? docOf(said),
    };
  }

  /** Of two parameters with one name the operation's own counts. */
  #query(parameters: readonly unknown[]): Member[] {
    const members = new Map<string, Member>();
    for (const each of parameters) {
      const parameter = this.#document.resolve(each);
      const name = text(parameter, 'name');
      if (name === undefined || member(parameter, 'in') !== 'query') continue;
      for (const one of this.#spread(name, parameter)) members.set(one.name, one);
    }
    return [...members.values()];
  }

  /** What one parameter sends; an object sends each of its members by itself. */
  #spread(name: string, parameter: unknown): Member[] {
    const required = member(parameter, 'required') === true;
    const shape = this.#shapes.read(member(parameter, 'schema'));
    const style = text(parameter, 'style') ?? 'form';
    const one = { name, required, readOnly: false, writeOnly: false, preset: undefined };
    const followed = this.#shapes.follow(shape);
    if (followed.is === 'object' && followed.members.length > 0) {
      const named = (inner: string) => (style === 'deepObject' ? `${name}[${inner}]` : inner);
      return followed.members.map((each) => ({ ...each, name: named(each.name), required: false }));
    }
    const joined =
      followed.is === 'list' && (style !== 'form' || member(parameter, 'explode') === false);
    const mark = style === 'pipeDelimited' ? '|' : style === 'spaceDelimited' ? ' ' : ',';
    const doc = [docOf(parameter), joined ? `Several are joined by '${mark}'.` : undefined];
    return [
      { ...one, shape: joined ? TEXT : shape, doc: doc.filter(Boolean).join(' ') || undefined },
    ];
  }

  #body(said: Fields): Operation['body'] {
    const content = fields(this.#document.resolve(said['requestBody']), 'content');
    return this.#content(content);
  }

  #answer(said: Fields, path: string): Answer {
    const responses = fields(said, 'responses');
    const success = Object.keys(responses)
      .filter((status) => /^2(\d\d|XX)$/i.test(status))
      .sort();
    const content = [...success, ...(success.length === 0 ? ['default'] : [])].map((status) =>
      fields(this.#document.resolve(responses[status]), 'content'),
    );
    const name = (schema: unknown) => named(this.#document, schema, path);
    const read = content.map((each) => this.#content(each, name));
    const found = read.find((each) => each !== undefined);
    return found ?? { form: 'json', shape: undefined };
  }

  /** The form and shape of what is sent or answered; JSON where there is a choice. */
  #content(
    content: Fields,
    prepare = (schema: unknown) => schema,
  ): { readonly form: Form; readonly shape: Shape } | undefined {
    const types = Object.keys(content);
    const type = types.find((each) => formOf(each) === 'json') ?? types[0];
    if (type === undefined) return undefined;
    return {
      form: formOf(type),
      shape: this.#shapes.read(prepare(member(content[type], 'schema'))),
    };
  }
}

/** The schema with a name for each record in it that has none: itself, rows, and what an envelope holds. */
function named(document: Document, schema: unknown, path: string): unknown {
  if (!isFields(schema) || text(schema, '$ref') !== undefined) return schema;
  const properties = fields(schema, 'properties');
  const words = path.split('/').filter((word) => word !== '' && !word.includes('{'));
  const known = document.nameKnown(schema);
  if (known !== undefined) return { $ref: known };
  const keys = ['id', ...[...path.matchAll(/\{([^{}]+)\}/g)].map(([, param]) => param as string)];
  if (keys.some((key) => Object.hasOwn(properties, key))) {
    const wanted = text(schema, 'title') ?? singular(words.at(-1) ?? 'record');
    return { $ref: document.name(wanted, schema) };
  }
  if (isFields(schema['items']))
    return { ...schema, items: named(document, schema['items'], path) };
  const inner = Object.entries(properties).map(([key, each]) => [key, named(document, each, path)]);
  return inner.length === 0 ? schema : { ...schema, properties: Object.fromEntries(inner) };
}

const TEXT: Shape = { is: 'word', word: 'string' };

/** By media type (RFC 6838); what may be anything is JSON here. */
function formOf(type: string): Form {
  const name = (type.split(';')[0] as string).trim().toLowerCase();
  if (/^(?:\*|application)\/\*$|[/+]json$/.test(name)) return 'json';
  if (name === 'multipart/form-data') return 'form';
  if (name === 'application/x-www-form-urlencoded') return 'search';
  if (/^text\/event-stream$|[/+](?:x-)?(?:ndjson|jsonl|json-seq)$/.test(name)) return 'stream';
  return /^text\/|[/+](?:xml|yaml)$/.test(name) ? 'text' : 'bytes';
}

function stepsOf(segment: string): Step[] {
  const parts = segment.split(/\{([^{}]+)\}/);
  return parts.flatMap((part, at): Step[] => {
    if (at % 2 === 1) return [{ param: part }];
    return part === '' ? [] : [{ text: part }];
  });
}

/** The name of a segment that is one `{name}` and nothing else. */
export function paramOf(segment: readonly Step[] | undefined): string | undefined {
  const [first, second] = segment ?? [];
  return first !== undefined && second === undefined && 'param' in first ? first.param : undefined;
}
