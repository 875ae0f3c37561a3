/** Converts a document to the text of a module, and explains the decisions: the same document gives the same text. */
import { callTexts } from './callTexts.ts';
import { block, docComment, lay, stringLiteral } from './CodePiece.ts';
import { orderDeclarations } from './orderDeclarations.ts';
import type { Definition, ApiDocument } from './ApiDocument.ts';
import type { Writers } from './Schemas.ts';
import { droppedIn, guessesIn } from './droppedIn.ts';
import type { Finding } from './droppedIn.ts';
import { Identities } from './Identities.ts';
import { ModuleNames } from './ModuleNames.ts';
import { operationsOf } from './operationsOf.ts';
import type { DescribedOperation } from './operationsOf.ts';
import { Schemas, SchemaAnalysis } from './Schemas.ts';
import { securityText } from './securityText.ts';
import { Servers } from './Servers.ts';
import type { ServerOptions } from './Servers.ts';
import { Shapes } from './Shapes.ts';
import { childShapes, withoutNull } from './Shape.ts';
import type { Discriminator, Shape } from './Shape.ts';
import type { Renames } from './Renames.ts';
import { TypeNames } from './TypeNames.ts';
import { DateKind } from './DateKind.ts';
import { parameterTypes } from './parameterTypes.ts';
import { TypePrinter } from './TypePrinter.ts';
import type { DocMarks } from './TypePrinter.ts';
import type { CallTexts } from './callTexts.ts';
import type { KeyPart } from './decideKey.ts';
import { textOfPath } from './Path.ts';

/** A name, and the exporting module. */
export interface ImportedName {
  readonly name: string;
  readonly from: string;
}

export interface ModuleOptions extends ServerOptions {
  /** The import specifier of the library. */
  readonly from: string;
  /** A subclass of RestEndpoint for all requests: the name, and the exporting module. */
  readonly endpoint?: ImportedName | undefined;
  /** False: dates stay texts. A name: a function of the user's own that makes dates. */
  readonly dates: boolean | ImportedName;
  /** True: enums with a name are objects, too. */
  readonly enums: boolean;
  /** Names from the user. */
  readonly renames: Renames;
}

export interface Module {
  readonly text: string;
  /** Unclear parts of the document, a sentence for each. */
  readonly notes: readonly string[];
  /** The parts that are not written, and the decisions without a word of the description. */
  readonly findings: readonly Finding[];
  /** The decisions, with reasons. */
  readonly explanation: readonly string[];
}

export function moduleText(document: ApiDocument, options: ModuleOptions): Module {
  const shapes = new Shapes(document);
  const { renames } = options;
  const operations = operationsOf(document, shapes, renames);
  const identities = new Identities(document, operations, shapes);
  const { endpoint } = options;
  const names = new ModuleNames([...renames.all, ...importedBy(options).map(({ name }) => name)]);
  const marks = marksOf(shapesIn(document, operations, shapes), identities);
  const reach = new SchemaAnalysis(identities, shapes);
  const { enums } = options;
  const basis = { shapes, identities, reach, names, marks, dates: datesOf(options), enums };
  const sent = onlySent(operations, shapes);
  const typeNames = new TypeNames(
    { identities, reach, names, renames, sent },
    document.definitions,
  );
  const types = new TypePrinter(basis, typeNames);
  const schemas = new Schemas(basis, types);
  const writers: Writers = { ...basis, types, schemas };
  const entities = orderDeclarations(document.definitions, writers);
  const servers = new Servers(document.servers, options, names);
  const {
    texts: calls,
    resources,
    pathOf,
    findings,
  } = callTexts(operations, writers, {
    renames,
    endpoint: endpoint?.name,
    servers,
  });
  // last: all requested types are known then
  const sentTypes = parameterTypes(operations, names, { types, shapes });
  const security = securityText(document, names, { operations, pathOf });
  const plain = types.declarations();
  const body = [
    ...(calls.length > 0 ? servers.texts() : []),
    ...plain,
    ...sentTypes,
    ...security,
    ...helperTexts(entities, calls, endpoint?.name),
    ...entities,
    ...calls,
  ].join('\n\n');
  return {
    text: withHeader(body, document, options),
    notes: [
      ...identities.notes,
      ...renames.unused.map((each) => `${each} is renamed, and is not described`),
    ],
    findings: [
      ...document.findings,
      ...droppedIn(document, writers, sent),
      ...guessesIn(document.definitions, writers),
      ...[...findings].sort((a, b) => (a.place < b.place ? -1 : 1)),
    ].map((each) => ({ ...each, place: document.placeInFiles(each.place) })),
    explanation: explain(resources, document.definitions, writers),
  };
}

/** The functions and types that the texts use. */
function helperTexts(
  entities: readonly string[],
  calls: readonly string[],
  endpoint = 'RestEndpoint',
): string[] {
  const names = [...entities.join('\n').matchAll(/\b(?:PkArgs|paramsOf|keyOf)\b(?=\)|\()/g)].map(
    ([name]) => name,
  );
  for (const name of ['orNull', 'atServers', 'sendEach'])
    if (calls.some((text) => text.includes(`${name}(`))) names.push(name);
  return HELPERS.filter(([name]) => names.includes(name)).map(([, text]) =>
    text.replaceAll('RestEndpoint', endpoint),
  );
}

/** The whole text, with a title and the imports that the body needs. */
function withHeader(body: string, { title }: ApiDocument, options: ModuleOptions): string {
  const header = docComment(
    title,
    'Written by `signalbox openapi`: changes made here are lost at the next run.',
  );
  const parts = [(header + importsOf(body, options)).trimEnd(), body];
  return `${parts.filter(Boolean).join('\n\n').trim()}\n`;
}

/** Schemas that are only in request bodies, not in responses. */
function onlySent(
  operations: readonly DescribedOperation[],
  shapes: Shapes,
): ReadonlySet<Definition> {
  const sent = new Set<Definition>();
  const received = new Set<Definition>();
  const collect = (shape: Shape, into: Set<Definition>): void => {
    if (shape.is !== 'name') return childShapes(shape).forEach((each) => collect(each, into));
    if (into.has(shape.of)) return;
    into.add(shape.of);
    collect(shapes.of(shape.of), into);
    collect(shapes.own(shape.of), into);
  };
  for (const { body, response } of operations) {
    if (body !== undefined) collect(body.shape, sent);
    for (const { content } of [...response.successes, ...response.errors])
      if (content !== undefined) collect(content.shape, received);
  }
  return new Set([...sent].filter((each) => !received.has(each)));
}

/** The discriminator values of each kind in a union, as code; those of an entity only if the union is told apart. */
function marksOf(roots: readonly Shape[], identities: Identities): DocMarks {
  const marks = new Map<Definition, Map<string, string[]>>();
  const mark = ({ field, names, literals }: Discriminator, isTold: boolean): void => {
    for (const [name, of] of names) {
      if (!isTold && identities.entitiesOf(of).length > 0) continue;
      const code = literals.get(name) ?? stringLiteral(name);
      // the class of a record has the name of the main form
      const main = identities.isForm(of) ? identities.forms.mainOf(of) : of;
      for (const each of new Set([of, main])) {
        const known = marks.get(each) ?? new Map<string, string[]>();
        known.set(field, [...new Set([...(known.get(field) ?? []), code])]);
        marks.set(each, known);
      }
    }
  };
  const visit = (shape: Shape): void => {
    const { shape: inner } = withoutNull(shape);
    if (inner.is === 'choice' && inner.by !== undefined)
      mark(inner.by, identities.isToldApart(inner));
    childShapes(shape).forEach(visit);
  };
  roots.forEach(visit);
  return marks;
}

/** The shapes of all schemas, and of bodies. */
function shapesIn(
  { definitions }: ApiDocument,
  operations: readonly DescribedOperation[],
  shapes: Shapes,
): Shape[] {
  const bodies = operations.flatMap(({ body, response: { successes, errors } }) => [
    body,
    ...[...successes, ...errors].map(({ content }) => content),
  ]);
  return [
    ...definitions.map((each) => shapes.of(each)),
    ...bodies.flatMap((each) => each?.shape ?? []),
  ];
}

/** Helper functions: for primary keys with parts that are not in the record, and for schemas. */
const HELPERS: readonly (readonly [name: string, text: string])[] = [
  [
    'PkArgs',
    `/** The other arguments of pk(): the last has the arguments of the request. */
type PkArgs = [parent?: unknown, key?: string, args?: readonly unknown[]];`,
  ],
  [
    'orNull',
    `/** A schema of a response that may have no body. */
const orNull = <S>(schema: S) => schema as S | null;`,
  ],
  [
    'atServers',
    `/** An endpoint class with a URL prefix for each method. */
const atServers = (prefix: string, others: Readonly<Record<string, string>>) =>
  class extends RestEndpoint {
    override get urlPrefix() {
      return others[this.method] ?? prefix;
    }
  } as typeof RestEndpoint;`,
  ],
  [
    'sendEach',
    `/** Sends mutations of a list with the media type of each method. */
const sendEach = (by: Readonly<Record<string, ReturnType<typeof sendAs>>>) =>
  function getRequestInit(this: { readonly method: string }, body?: unknown) {
    return (by[this.method] ?? sendAs('application/json')).call(this, body);
  };`,
  ],
  [
    'paramsOf',
    `/** The params in the address of a record, else the params of the request. */
const paramsOf = (
  [, , args]: PkArgs,
  own?: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | undefined>> => own ?? Object(args?.[0]);`,
  ],
  [
    'keyOf',
    `/** Joins the parts of a primary key; undefined if a part is missing. */
const keyOf = (...parts: readonly (string | number | null | undefined)[]) =>
  parts.some((part) => part === undefined || part === null) ? undefined : parts.join('/');`,
  ],
];

const IMPORTED = [
  'Collection',
  'createResource',
  'Delete',
  'Entity',
  'linkPages',
  'RestEndpoint',
  'searchStyles',
  'sendAs',
  'Union',
  'Values',
  'withStatus',
];

function datesOf({ dates }: ModuleOptions): DateKind | undefined {
  if (dates === false) return undefined;
  return new DateKind(dates === true ? undefined : dates.name);
}

/** The names of the user that the module imports. */
function importedBy({ endpoint, dates, prefix }: ModuleOptions): ImportedName[] {
  return [endpoint, dates, prefix].filter((each) => typeof each === 'object');
}

function importsOf(body: string, options: ModuleOptions): string {
  const calls: Readonly<Record<string, RegExp>> = {
    createResource: /\bcreateResource\(/,
    Entity: /\bextends Entity\b/,
    searchStyles: /\bsearchStyles\(/,
    linkPages: /\.\.\.linkPages\b/,
    RestEndpoint: /\bnew RestEndpoint\(|\bextends RestEndpoint\b/,
    sendAs: /\bsendAs\(/,
    withStatus: /\bparseResponse: withStatus\b/,
  };
  // a name in the text of the description is no use
  const code = body.replace(/^\s*\/\*\*[^]*?\*\//gm, '');
  const used = IMPORTED.filter(
    (name) =>
      name !== options.endpoint?.name &&
      (calls[name] ?? new RegExp(`\\bnew ${name}\\(`)).test(code),
  );
  const lines =
    used.length === 0
      ? []
      : [lay(['import ', block(used), ` from ${stringLiteral(options.from)};`])];
  const names = new Set(code.match(/[\p{ID_Continue}$]+/gu));
  for (const { name, from } of importedBy(options))
    if (names.has(name)) lines.push(`import { ${name} } from ${stringLiteral(from)};`);
  return lines.join('\n');
}

/** A line for each entity, for each other form of the same record, and for each resource. */
function explain(
  resources: CallTexts['resources'],
  definitions: readonly Definition[],
  writers: Writers,
): string[] {
  const { identities, types } = writers;
  const entities = definitions.filter(
    (each) => identities.of(each) !== undefined && !identities.isForm(each),
  );
  return [
    ...entities.flatMap((main) => {
      const forms = identities.forms.of(main).filter((form) => form !== main);
      const mainLine = `${types.nameOf(main, 'read')} is ${describeSchema(main)}: ${explainKey(main, writers)}`;
      const otherLines = forms.map(
        (form) => `  and ${describeSchema(form)}: ${identities.forms.reasonOf(form)}`,
      );
      return [mainLine, ...otherLines];
    }),
    ...resources.map(([name, { segments, members, extras }]) => {
      const otherLines = extras.length === 0 ? '' : `, and ${extras.length} more`;
      return `${name} is ${textOfPath(segments)}: ${[...members.keys()].join(', ')}${otherLines}`;
    }),
  ];
}

const describeSchema = ({ name, inline }: Definition): string =>
  inline ? `${name} (inline schema)` : name;

function explainKey(main: Definition, { identities }: Writers): string {
  const { parts = [], otherwise } = identities.of(main) ?? {};
  const home = identities.homeOf(main);
  if (parts.length === 0) return 'there is a single record';
  const where = home === undefined ? 'rows of a list' : textOfPath(home);
  const rest = otherwise === undefined ? '' : `, else ${otherwise}`;
  return `its key is ${parts.map(partOf).join(', ')}${rest} (${where})`;
}

const partOf = ({ member, param }: KeyPart): string =>
  member.length === 0 ? `${param} of the request` : member.join('.');
