/** From the text of a file to an OpenAPI document that can be relied on. */
import { checkReferences } from './checkReferences.ts';
import { Document } from './Document.ts';
import { failure, reasonOf } from './Failure.ts';
import { isFields, member } from './Fields.ts';
import type { Fields } from './Fields.ts';

/** What is used of the parser, which is an optional peer. */
interface Parser {
  normalize(text: string): unknown;
  upgrade(document: Fields): { readonly specification: unknown };
}

/**
 * Reads JSON or YAML of OpenAPI 3.0 to 3.2 or Swagger 2.0, as OpenAPI 3.1. `file` is how errors call it.
 * Throws a Failure: no parser, no such syntax, another version, a $ref that leads nowhere.
 */
export async function readDocument(content: string, file: string): Promise<Document> {
  const parser = await loadParser();
  const root = parse(parser, content, file);
  checkVersion(root, file);
  const { specification } = parser.upgrade(root);
  const upgraded = isFields(specification) ? specification : root;
  checkReferences(upgraded);
  return new Document(upgraded);
}

async function loadParser(): Promise<Parser> {
  try {
    return await import('@scalar/openapi-parser');
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw code === 'ERR_MODULE_NOT_FOUND' ? failure('parser') : error;
  }
}

function parse(parser: Parser, content: string, file: string): Fields {
  let value: unknown;
  try {
    // the parser answers a broken JSON as it answers no text at all
    value = /^\s*\{/.test(content) ? parseJson(parser, content) : parser.normalize(content);
  } catch (error) {
    throw failure('syntax', file, reasonOf(error));
  }
  if (!isFields(value)) throw failure('syntax', file, 'there is no object in it');
  return value;
}

/** What begins as JSON does may be YAML, whose flow style looks the same; then the parser knows better. */
function parseJson(parser: Parser, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const value = parser.normalize(content);
    if (isFields(value)) return value;
    throw error;
  }
}

function checkVersion(root: Fields, file: string): void {
  const found = member(root, 'openapi') ?? member(root, 'swagger');
  const known = member(root, 'openapi') === undefined ? /^2\.0$/ : /^3\.[012](\.|$)/;
  // YAML reads 2.0 as a number
  const version = found === 2 ? '2.0' : String(found);
  if (!known.test(version)) throw failure('version', file, found);
}
