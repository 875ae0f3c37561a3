/** Parses the text of a file into a checked OpenAPI document. */
import { checkReferences, hasRemote, ApiDocument } from './ApiDocument.ts';
import { failure, reasonOf } from './CommandError.ts';
import { isFields, member, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import { prepareSwagger } from './prepareSwagger.ts';

/** The used part of the parser, which is an optional peer. */
interface Parser {
  normalize(text: string): unknown;
  upgrade(document: JsonObject): { readonly specification: unknown };
}

/**
 * Reads JSON or YAML of OpenAPI 3.0 to 3.2 or Swagger 2.0, as OpenAPI 3.1, with all referenced files. `file` is the
 * path of the document, `-` for a document without a path. Throws a Failure: no parser, invalid syntax, another
 * version, a $ref without a target.
 */
export async function readDocument(content: string, file: string): Promise<ApiDocument> {
  const parser = await loadParser();
  const alone = parse(parser, content, file);
  checkVersion(alone, file);
  const root = file !== '-' && hasRemote(alone) ? await bundled(file) : alone;
  markBytes(root);
  // the upgrade changes the document
  const swagger = member(root, 'swagger') === undefined ? undefined : prepareSwagger(root);
  const { specification } = parser.upgrade(root);
  const upgraded = isFields(specification) ? specification : root;
  checkReferences(upgraded);
  return new ApiDocument(upgraded, swagger);
}

/** Marks the schemas of bodies of bytes, of which the upgrade to 3.1 would leave an empty schema: any value. */
function markBytes(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  const schema = member(value, 'schema');
  const type = text(schema, 'type');
  const isBytes = type === 'file' || (type === 'string' && text(schema, 'format') === 'binary');
  if (isBytes && member(schema, 'contentMediaType') === undefined)
    Object.assign(schema as object, { contentMediaType: 'application/octet-stream' });
  for (const inner of Object.values(value)) markBytes(inner, seen);
}

function loadParser(): Promise<Parser> {
  return loaded('@scalar/openapi-parser', () => import('@scalar/openapi-parser'));
}

/** A document with the referenced documents, stored below `x-ext`; a $ref to an unreadable document stays. */
async function bundled(file: string): Promise<JsonObject> {
  const { bundleWithDiagnostics } = await loaded(
    BUNDLER,
    () => import('@scalar/json-magic/bundle'),
  );
  const {
    parseJson: json,
    parseYaml,
    readFiles,
  } = await import('@scalar/json-magic/bundle/plugins/node');
  const files = readFiles();
  const exec = async (path: string) => {
    const read = await files.exec(decoded(path));
    if (read.ok) decodeReferences(read.data);
    return read;
  };
  const plugins = [{ ...files, exec }, parseYaml(), json()];
  const config = { plugins, treeShake: false, urlMap: true };
  const { document } = await bundleWithDiagnostics(file, config);
  return document as JsonObject;
}

/** Decodes the files in the references of a document: two spellings of a path are the same file. */
function decodeReferences(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const reference = text(value, '$ref');
  if (reference !== undefined) {
    const [file = '', ...fragment] = reference.split('#');
    // what would begin a fragment, or another code, stays encoded
    const path = decoded(file.replace(/%(?=2[35])/g, '%25'));
    Object.assign(value, { $ref: [path, ...fragment].join('#') });
  }
  for (const inner of Object.values(value)) decodeReferences(inner);
}

/** The path of a file in a reference, which is a percent-encoded URI. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const BUNDLER = '@scalar/json-magic';

async function loaded<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw code === 'ERR_MODULE_NOT_FOUND' ? failure('parser', name) : error;
  }
}

function parse(parser: Parser, content: string, file: string): JsonObject {
  let value: unknown;
  try {
    // the parser returns the same for broken JSON as for no text
    value = /^\s*\{/.test(content) ? parseJson(parser, content) : parser.normalize(content);
  } catch (error) {
    throw failure('syntax', file, reasonOf(error));
  }
  if (!isFields(value)) throw failure('syntax', file, 'there is no object in it');
  return value;
}

/** Text that begins like JSON may be YAML in flow style; if JSON.parse fails, the parser decides. */
function parseJson(parser: Parser, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const value = parser.normalize(content);
    if (isFields(value)) return value;
    throw error;
  }
}

function checkVersion(root: JsonObject, file: string): void {
  const found = member(root, 'openapi') ?? member(root, 'swagger');
  const known = member(root, 'openapi') === undefined ? /^2\.0$/ : /^3\.[012](\.|$)/;
  // YAML reads 2.0 as a number
  const version = found === 2 ? '2.0' : String(found);
  if (!known.test(version)) throw failure('version', file, found);
}
