/** Every member that a description may have is written or reported; the others are named here, with the reason. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { run } from './command.ts';

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The result of the command, as one text. */
async function written(document: Node): Promise<string> {
  return JSON.stringify(await run(['openapi', '-', '--strict'], JSON.stringify(document)));
}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Objects with members that the author names. */
const NAMED =
  /\/(?:paths|properties|patternProperties|responses|content|schemas|\$defs|mediaTypes|requestBodies|pathItems|securitySchemes|encoding|mapping|components)$/;

/** The members without which the result is the same; none inside of another, or of a reported part. */
async function unread(document: Node): Promise<string[]> {
  const whole = await written(document);
  const { said } = JSON.parse(whole) as { said: string[] };
  const reported = new Set(said.map((line) => /^\w+: (\S+): /.exec(line)?.[1]));
  const found: string[] = [];
  const walk = async (node: Node, place: string): Promise<void> => {
    const isNamed = Array.isArray(node) || NAMED.test(place);
    for (const name of Object.keys(node)) {
      const at = `${place}/${escaped(name)}`;
      const value = node[name];
      const rest = Object.entries(node).filter(([other]) => other !== name);
      const less = Array.isArray(node)
        ? node.filter((_, index) => index !== Number(name))
        : Object.fromEntries(rest);
      const isRead = isNamed || (await written(replaced(document, node, less))) !== whole;
      if (!isRead) found.push(at);
      else if (isNode(value) && !reported.has(at)) await walk(value, at);
    }
  };
  await walk(document, '#');
  return found;
}

/** A copy of the document with another value in the place of a part. */
function replaced(at: unknown, part: unknown, other: unknown): Node {
  if (at === part) return other as Node;
  if (Array.isArray(at)) return at.map((each) => replaced(each, part, other)) as unknown as Node;
  if (!isNode(at)) return at as never;
  const entries = Object.entries(at).map(([name, value]) => [name, replaced(value, part, other)]);
  return Object.fromEntries(entries) as Node;
}

/** The places of members that change nothing, by the reason why they may be left out. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  'text for people':
    /\/(?:\$self|summary|description|title|\$comment|termsOfService|contact|license|externalDocs|tags|examples?|xml)$/,
  'text for people, of a search param: these are one inline type': /parameters\/0\/deprecated$/,
  'a limit of a value': /\/(?:m(?:in|ax)\w+|exclusiveM\w+|multipleOf|uniqueItems|pattern|format)$/,
  'a type that the other members imply': /\/type$/,
  'the name of a member of a resource, which its method gives': /\/operationId$/,
  'the usual response of a member of a resource':
    /\/(?:put|post|patch|delete|head|options|COPY)\/responses$|\/responses\/Item\/content$/,
  'a part of what is reported':
    /\/headers\/X-Sum\/schema$|\/(?:k|gone|0|itemEncoding)\/contentType$/,
  'a header or a cookie, a text that the caller writes':
    /\/get\/parameters\/[6789]\/(?:schema|content|style|explode)$/,
  'any value': /\/(?:parameters\/1|application~1json)\/schema$/,
  'a file has a type of its own': /\/encoding\/file\/contentType$/,
  'the application gets the token': /\/(?:bearerFormat|oauth2MetadataUrl|flows|openIdConnectUrl)$/,
  'as described by default': /\/bearer\/scheme$|\/Loan\/(?:name|required)$/,
  'not referred to': /\/parameters\/Unused$/,
  'the path names its params': /~1{id}\/parameters(?:\/0\/(?:required|schema))?$/,
  'the primary key of a record is there':
    /\/schemas\/(?:Item|Cat|Dog)\/required$|\/definitions\/Loan\/required$/,
  'a text beside the text that it encodes': /\/(?:encoded|picture)\/content\w+$/,
  'less than the values beside it': /\/(?:refEnum|refConst)\/\$ref$/,
  'as types are': /\/closed\/additionalProperties$/,
  'names and dialects of schemas, which the checked references use':
    /\/(?:jsonSchemaDialect|\$id|\$schema|\$anchor|\$dynamicAnchor)$/,
  'for --enums object': /\/x-enum-varnames$/,
};

test.each(['members/operations.yaml', 'members/schemas.yaml', 'documents/library.json'])(
  '[T3] each member in %s is written, reported, or left out for a reason',
  async (file) => {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const found = await unread(parse(await readFile(path, 'utf8')) as Node);
    const reasons = Object.values(HARMLESS);
    expect(found.filter((place) => !reasons.some((each) => each.test(place)))).toEqual([]);
  },
);
