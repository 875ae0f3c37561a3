/** Generates the authentication of requests from the security schemes of a description. */
import { block, docComment, lay, propertyKey, stringLiteral, WIDTH } from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { ApiDocument, SecurityNames } from './ApiDocument.ts';
import { text } from './JsonObject.ts';
import type { ModuleNames } from './ModuleNames.ts';
import type { DescribedOperation } from './operationsOf.ts';
import { docOf } from './Shape.ts';

/** A scheme: the type, the description, and the statement that adds the credentials to the headers or the search. */
interface Scheme {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
  readonly place: 'headers' | 'search';
  readonly statement: string;
}

/** The operations, and the path of each in the generated module. */
export interface SecuredOperations {
  readonly operations: readonly DescribedOperation[];
  readonly pathOf: (operation: DescribedOperation) => string;
}

/*
 *   http basic                        Authorization: Basic …
 *   http bearer, oauth2, OpenID       Authorization: Bearer …
 *   http, another scheme              Authorization: <scheme> …
 *   apiKey in a header                the header
 *   apiKey in the query               a search param, in `authorizeUrl`: no part of the key of a request
 *   apiKey in a cookie, mutualTLS     nothing to add: `credentials: 'include'`, done by the browser
 */
/**
 * A type of the credentials, and functions for `getRequestInit` and `fetchResponse` that add the credentials; none if
 * there is nothing to add.
 */
export function securityText(
  document: ApiDocument,
  names: ModuleNames,
  secured: SecuredOperations,
): string[] {
  const schemes = Object.entries(document.securitySchemes).flatMap(([name, given]) => {
    const scheme = schemeOf(name, document.resolve(given));
    return scheme === undefined ? [] : [scheme];
  });
  if (schemes.length === 0) return [];
  const type = names.take('Credentials', 'ApiCredentials');
  const parts = schemes.map((each): CodePiece => [
    docComment(each.doc),
    `${propertyKey(each.name)}?: ${each.type}`,
  ]);
  const members = lay({ open: '{', close: '}', parts, mark: ';', tall: true });
  const choice = choiceText(document, schemes, { names, type, secured });
  const writer = new Functions(schemes, type, choice?.name);
  const has = (where: Scheme['place']) => schemes.some(({ place }) => place === where);
  const inHeaders = docComment(
    'Adds credentials to a request; call in `getRequestInit` of an endpoint class.',
  );
  const inSearch = docComment(
    'Adds credentials to a URL; call in `fetchResponse` of an endpoint class.',
  );
  return [
    `${docComment('The credentials of each security scheme.')}export interface ${type} ${members}`,
    ...(choice?.texts ?? []),
    ...(has('headers')
      ? [inHeaders + writer.headers(names.take('authorize', 'authorizeRequest'))]
      : []),
    ...(has('search')
      ? [inSearch + writer.search(names.take('authorizeUrl', 'authorizeAddress'))]
      : []),
  ];
}

const ENDPOINT = 'endpoint?: { readonly method: unknown; readonly path: unknown }';

class Functions {
  readonly #schemes: readonly Scheme[];
  readonly #type: string;
  readonly #choice: string | undefined;

  constructor(schemes: readonly Scheme[], type: string, choice: string | undefined) {
    this.#schemes = schemes;
    this.#type = type;
    this.#choice = choice;
  }

  headers(name: string): string {
    return `${this.#head(name, 'init: RequestInit', 'RequestInit')}
  const headers = new Headers(init.headers);
${this.#statements('headers')}  return { ...init, headers };
}`;
  }

  search(name: string): string {
    return `${this.#head(name, 'url: string', 'string')}
  const search = new URLSearchParams();
${this.#statements('search')}  const sign = url.includes('?') ? '&' : '?';
  return search.toString() === '' ? url : \`\${url}\${sign}\${search.toString()}\`;
}`;
  }

  #head(name: string, first: string, result: string): string {
    const given = this.#choice === undefined ? 'credentials' : 'given';
    const params = [first, `${given}: ${this.#type}`, ENDPOINT];
    // without a choice all credentials are sent, whatever the operation
    const used = this.#choice === undefined ? params.slice(0, 2) : params;
    const head = lay([`export function ${name}`, block(used, '(', ')'), `: ${result} {`]);
    const chosen =
      this.#choice === undefined ? '' : `\n  const credentials = ${this.#choice}(given, endpoint);`;
    return head + chosen;
  }

  #statements(place: Scheme['place']): string {
    const own = this.#schemes.filter((each) => each.place === place);
    return own.map(({ statement }) => `${statement}\n`).join('');
  }
}

interface Choice {
  readonly name: string;
  readonly texts: readonly string[];
}

/** The credentials that an operation takes; undefined for a description without any `security`. */
function choiceText(
  document: ApiDocument,
  schemes: readonly Scheme[],
  {
    names,
    type,
    secured,
  }: {
    readonly names: ModuleNames;
    readonly type: string;
    readonly secured: SecuredOperations;
  },
): Choice | undefined {
  const known = new Set(schemes.map(({ name }) => name));
  const common = document.security;
  const own = secured.operations.filter(({ security }) => security !== undefined);
  if (common === undefined && own.length === 0) return undefined;
  const code = (security: SecurityNames): CodePiece => {
    const alternatives = security
      .map((alternative) => alternative.filter((name) => known.has(name)))
      .filter(({ length }) => length > 0);
    const lists = alternatives.map((each) => block(each.map(stringLiteral), '[', ']'));
    return block(lists, '[', ']');
  };
  const usual = JSON.stringify(common ?? []);
  const other = own.filter(({ security }) => JSON.stringify(security) !== usual);
  const table = other.map((each): CodePiece => [
    `${stringLiteral(`${each.method} ${secured.pathOf(each)}`)}: `,
    code(each.security ?? []),
  ]);
  const alternatives = names.take('alternatives', 'securityAlternatives');
  const exceptions = names.take('exceptions', 'securityExceptions');
  const name = names.take('chosen', 'chosenCredentials');
  const list = `readonly (readonly (keyof ${type})[])[]`;
  const first = docComment('The default alternatives: the credentials of each.');
  const second = docComment('The alternatives of operations with other security.');
  const rows =
    other.length === 0
      ? []
      : [
          second +
            lay([`const ${exceptions}: Readonly<Record<string, ${list}>> = `, block(table), ';']),
        ];
  const groups =
    other.length === 0
      ? alternatives
      : `${exceptions}[\`\${String(endpoint.method)} \${String(endpoint.path)}\`] ?? ${alternatives}`;
  const all = first + lay([`const ${alternatives}: ${list} = `, code(common ?? []), ';']);
  return { name, texts: [all, ...rows, chooserText(name, type, groups)] };
}

/** The function that chooses among the credentials. `groups`: code for the groups of an operation. */
function chooserText(name: string, type: string, groups: string): string {
  const doc = docComment(
    'The credentials of the first complete alternative; all credentials without an endpoint.',
  );
  const head = lay([
    `function ${name}`,
    block([`given: ${type}`, ENDPOINT], '(', ')'),
    `: ${type} {`,
  ]);
  return `${doc}${head}
  if (endpoint === undefined) return given;
  const groups = ${groups};
  const group = groups.find((names) => names.every((name) => given[name] !== undefined)) ?? [];
  return Object.fromEntries(group.map((name) => [name, given[name]]));
}`;
}

/** True for a scheme that `authorize` adds. */
export const hasScheme = (name: string, scheme: unknown): boolean =>
  schemeOf(name, scheme) !== undefined;

function schemeOf(name: string, scheme: unknown): Scheme | undefined {
  const type = text(scheme, 'type');
  const value = /^[A-Za-z_$][\w$]*$/.test(name)
    ? `credentials.${name}`
    : `credentials[${stringLiteral(name)}]`;
  const set = (target: string, key: string, what: string) => {
    const test = `  if (${value} !== undefined)`;
    const call = `${target}.set(${stringLiteral(key)}, ${what});`;
    return test.length + call.length < WIDTH ? `${test} ${call}` : `${test}\n    ${call}`;
  };
  const own = (doc: string) => [doc, docOf(scheme)].filter(Boolean).join('\n');
  if (type === 'apiKey') {
    const [key, place] = [text(scheme, 'name'), text(scheme, 'in')];
    if (key === undefined || (place !== 'header' && place !== 'query')) return undefined;
    const target = place === 'header' ? 'headers' : 'search';
    const doc = own(place === 'header' ? `The header ${key}.` : `The search param ${key}.`);
    return { name, type: 'string', doc, place: target, statement: set(target, key, value) };
  }
  if (type !== 'http' && type !== 'oauth2' && type !== 'openIdConnect') return undefined;
  const kind = type === 'http' ? (text(scheme, 'scheme') ?? 'bearer').toLowerCase() : 'bearer';
  if (kind === 'basic') {
    const user = '{ username: string; password: string }';
    const statement = basicStatement(value);
    return { name, type: user, doc: own('A user and a password.'), place: 'headers', statement };
  }
  if (!/^[\w-]+$/.test(kind)) return undefined;
  const word = kind.charAt(0).toUpperCase() + kind.slice(1);
  const statement = set('headers', 'Authorization', `\`${word} \${${value}}\``);
  return { name, type: 'string', doc: own(`A ${kind} token.`), place: 'headers', statement };
}

// `btoa` takes bytes as characters; RFC 7617 has UTF-8
const basicStatement = (value: string): string => `  if (${value} !== undefined) {
    const { username, password } = ${value};
    const bytes = new TextEncoder().encode(\`\${username}:\${password}\`);
    headers.set('Authorization', \`Basic \${btoa(String.fromCharCode(...bytes))}\`);
  }`;
