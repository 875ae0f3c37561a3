/** Generates the authentication of requests from the security schemes of a description. */
import { docComment, propertyKey, lay, stringLiteral, WIDTH } from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { ApiDocument } from './ApiDocument.ts';
import { text } from './JsonObject.ts';
import type { ModuleNames } from './ModuleNames.ts';
import { docOf } from './Shape.ts';

/** One scheme: its type, its description, and the statement that adds it to the headers. */
interface Scheme {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
  readonly statement: string;
}

/*
 *   http basic                        Authorization: Basic …
 *   http bearer, oauth2, OpenID       Authorization: Bearer …
 *   http, another scheme              Authorization: <scheme> …
 *   apiKey in a header                the header
 *   apiKey in a cookie, mutualTLS     nothing to add: `credentials: 'include'`, done by the browser
 *   apiKey in the query               nothing to add: already a search param
 */
/** A type of the credentials, and a function for `getRequestInit` that adds them; none if there is nothing to add. */
export function securityText(document: ApiDocument, names: ModuleNames): string[] {
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
  return [
    `${docComment('What a caller says to be known.')}export interface ${type} ${members}`,
    `${docComment('A request with what its caller says; for `getRequestInit` of a class of endpoints.')}export function ${names.take('authorize', 'authorizeRequest')}(init: RequestInit, credentials: ${type}): RequestInit {
  const headers = new Headers(init.headers);
${schemes.map(({ statement }) => statement).join('\n')}
  return { ...init, headers };
}`,
  ];
}

function schemeOf(name: string, scheme: unknown): Scheme | undefined {
  const type = text(scheme, 'type');
  const value = /^[A-Za-z_$][\w$]*$/.test(name)
    ? `credentials.${name}`
    : `credentials[${stringLiteral(name)}]`;
  const set = (header: string, what: string) => {
    const test = `  if (${value} !== undefined)`;
    const call = `headers.set(${stringLiteral(header)}, ${what});`;
    return test.length + call.length < WIDTH ? `${test} ${call}` : `${test}\n    ${call}`;
  };
  const own = (doc: string) => [doc, docOf(scheme)].filter(Boolean).join('\n');
  if (type === 'apiKey') {
    const header = text(scheme, 'in') === 'header' ? text(scheme, 'name') : undefined;
    if (header === undefined) return undefined;
    return {
      name,
      type: 'string',
      doc: own(`The header ${header}.`),
      statement: set(header, value),
    };
  }
  if (type !== 'http' && type !== 'oauth2' && type !== 'openIdConnect') return undefined;
  const kind = type === 'http' ? (text(scheme, 'scheme') ?? 'bearer').toLowerCase() : 'bearer';
  if (kind === 'basic') {
    const statement = `  if (${value} !== undefined) {
    const { username, password } = ${value};
    headers.set('Authorization', \`Basic \${btoa(\`\${username}:\${password}\`)}\`);
  }`;
    const user = '{ username: string; password: string }';
    return { name, type: user, doc: own('A user and a password.'), statement };
  }
  if (!/^[\w-]+$/.test(kind)) return undefined;
  const word = kind.charAt(0).toUpperCase() + kind.slice(1);
  const token = `\`${word} \${${value}}\``;
  return {
    name,
    type: 'string',
    doc: own(`A ${kind} token.`),
    statement: set('Authorization', token),
  };
}
