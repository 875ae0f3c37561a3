/** The servers of a description: the prefix of all paths, other prefixes of operations, and a list for the application. */
import {
  block,
  docComment,
  flat,
  lay,
  property,
  propertyKey,
  stringLiteral,
  WIDTH,
} from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import { failure, show } from './CommandError.ts';
import { list, member, objectAt, text } from './JsonObject.ts';
import { camel, localsOf } from './ModuleNames.ts';
import type { ModuleNames } from './ModuleNames.ts';
import type { ImportedName } from './moduleText.ts';

/** A server; the address has the names of variables in braces. */
export interface Server {
  readonly url: string;
  readonly name: string | undefined;
  readonly doc: string | undefined;
  readonly variables: readonly ServerVariable[];
}

export interface ServerVariable {
  readonly name: string;
  readonly preset: string | undefined;
  readonly values: readonly string[];
  readonly doc: string | undefined;
}

/** How the user selects the server. */
export interface ServerOptions {
  /** The prefix of each path, instead of the address of a server; a name: an exported text. */
  readonly prefix?: string | ImportedName | undefined;
  /** The name or the number of a server of the document. Default: the first. */
  readonly server?: string | undefined;
  /** Values of the variables of this server. */
  readonly variables?: ReadonlyMap<string, string> | undefined;
}

/** The servers of a document, a path or an operation. */
export function serversIn(value: unknown): readonly Server[] {
  return list(value, 'servers').map((each) => ({
    url: text(each, 'url') ?? '',
    name: text(each, 'name') ?? text(each, 'x-name'),
    doc: text(each, 'description'),
    variables: Object.entries(objectAt(each, 'variables')).map(([name, variable]) => {
      const given = member(variable, 'default');
      const preset = given === undefined ? undefined : String(given);
      const values = list(variable, 'enum').map(String);
      const isListed = preset === undefined || values.length === 0 || values.includes(preset);
      return {
        name,
        preset,
        // a default is allowed, listed or not
        values: isListed ? values : [...values, preset],
        doc: text(variable, 'description'),
      };
    }),
  }));
}

/** The address with these values of the variables, else the defaults; without a slash at the end. */
function addressOf(server: Server, values: ReadonlyMap<string, string> = new Map()): string {
  const filled = server.url.replace(/\{([^{}]*)\}/g, (hole, name: string) => {
    const preset = server.variables.find((each) => each.name === name)?.preset;
    return values.get(name) ?? preset ?? hole;
  });
  return filled.replace(/\/+$/, '');
}

export class Servers {
  readonly #all: readonly Server[];
  readonly #options: ServerOptions;
  readonly #names: ModuleNames;
  /** Constants of prefixes other than the first, by address. */
  readonly #constants = new Map<string, string>();
  /** All servers with a name, by address. */
  readonly #named = new Map<string, readonly [name: string, server: Server]>();

  constructor(all: readonly Server[], options: ServerOptions, names: ModuleNames) {
    this.#all = all;
    this.#options = options;
    this.#names = names;
    for (const each of all) this.#addName(each);
  }

  /** The address in place of `urlPrefix`; undefined if known at run time only. */
  get #prefix(): string | undefined {
    const { prefix, variables } = this.#options;
    if (typeof prefix === 'object') return undefined;
    const server = this.#selected();
    if (prefix !== undefined) return prefix;
    return server === undefined ? '' : addressOf(server, variables);
  }

  #selected(): Server | undefined {
    const { server: wanted, variables = new Map<string, string>() } = this.#options;
    const names = this.#all.map((each) => this.#named.get(each.url)?.[0] ?? each.url);
    const at = names.findIndex((name, index) =>
      [name, String(index + 1), this.#all[index]?.url].includes(wanted),
    );
    if (wanted !== undefined && at < 0)
      throw failure('usage', `--server must be one of ${names.join(', ')}, not ${show(wanted)}`);
    const server = this.#all[Math.max(at, 0)];
    for (const [name, value] of variables) checkVariable(server, name, value);
    return server;
  }

  /** The code of the prefix of an operation. */
  prefixOf(own: readonly Server[]): string {
    const [first] = own;
    if (first === undefined) return 'urlPrefix';
    const address = this.#absolute(addressOf(first));
    const [root] = this.#all;
    if (address === this.#prefix || (root !== undefined && address === addressOf(root)))
      return 'urlPrefix';
    for (const each of own) if (!each.url.startsWith('/')) this.#addName(each);
    const known = this.#constants.get(address);
    if (known !== undefined) return known;
    const host = /^\w+:\/\/([^./:]+)/.exec(address)?.[1] ?? address.replace(/\W+/g, ' ');
    const name = this.#names.take(`${camel(host, 'other')}Prefix`);
    this.#constants.set(address, name);
    return name;
  }

  /** A path alone belongs to the host of the prefix. */
  #absolute(address: string): string {
    if (!/^\/(?!\/)/.test(address)) return address;
    const host = /^\w+:\/\/[^/]+/.exec(this.#prefix ?? '')?.[0];
    return (host ?? '') + address;
  }

  #addName(server: Server): void {
    if (this.#named.has(server.url)) return;
    const taken = [...this.#named.values()].map(([name]) => name);
    const host = /^\w+:\/\/([^./:{]+)/.exec(server.url)?.[1];
    const words =
      server.name ?? shortest(server.doc) ?? host ?? (taken.length === 0 ? 'main' : 'server');
    const wanted = camel(words, 'server');
    let name = wanted;
    for (let next = 2; taken.includes(name); next++) name = `${wanted}${next}`;
    this.#named.set(server.url, [name, server]);
  }

  /** The declarations of all prefixes, and of the list of servers if there is a choice. */
  texts(): string[] {
    const { prefix } = this.#options;
    const first = typeof prefix === 'object' ? prefix.name : stringLiteral(this.#prefix ?? '');
    const constants = [...this.#constants].map(
      ([address, name]) => `const ${name} = ${stringLiteral(address)};`,
    );
    const all = [...this.#named.values()];
    const isOne = all.length < 2 && all.every(([, { variables }]) => variables.length === 0);
    const doc = docComment('The servers of the description.');
    const name = isOne ? '' : this.#names.take('servers', 'apiServers');
    const parts = all.map(([key, server]): CodePiece => [
      docComment(docOf(key, server)),
      property(key, codeOf(key, server)),
    ]);
    const exported = isOne ? [] : [`${doc}${lay([`export const ${name} = `, block(parts), ';'])}`];
    return [[`const urlPrefix = ${first};`, ...constants].join('\n'), ...exported];
  }
}

function checkVariable(server: Server | undefined, name: string, value: string): void {
  const known = server?.variables.find((each) => each.name === name);
  if (known === undefined) throw failure('usage', `the server has no variable ${show(name)}`);
  if (known.values.length > 0 && !known.values.includes(value))
    throw failure('usage', `${name} must be one of ${known.values.join(', ')}, not ${show(value)}`);
}

/** A description of at most four words may be a name. */
const shortest = (doc: string | undefined): string | undefined =>
  doc !== undefined && doc.trim().split(/\s+/).length <= 4 ? doc.trim() : undefined;

/** No description that only repeats the name. */
const docOf = (key: string, { doc }: Server): string | undefined =>
  doc !== undefined && camel(doc) === key ? undefined : doc;

/** The address of a server, a function of the variables. */
function codeOf(key: string, server: Server): CodePiece {
  const used = server.variables.filter(({ name }) => server.url.includes(`{${name}}`));
  if (used.length === 0) return stringLiteral(addressOf(server));
  const names = used.map(({ name }) => name);
  const locals = localsOf(names, (name) => camel(name, 'value'));
  const bound = used.map(({ name, preset }): string => {
    const local = locals.get(name) as string;
    const key = local === name ? name : `${propertyKey(name)}: ${local}`;
    return preset === undefined ? key : `${key} = ${stringLiteral(preset)}`;
  });
  const types = used.map(({ name, preset, values }): string => {
    const type = values.length === 0 ? 'string' : values.map(stringLiteral).join(' | ');
    return `${propertyKey(name)}${preset === undefined ? '' : '?'}: ${type}`;
  });
  const filled = server.url
    .replace(/\/+$/, '')
    .replace(/[`\\]|\$(?=\{)/g, '\\$&')
    .replace(/\{([^{}]*)\}/g, (hole, name: string) =>
      locals.has(name) ? `\${${locals.get(name)}}` : hole,
    );
  const isOptional = used.every(({ preset }) => preset !== undefined);
  const params = [block(bound), ': ', block(types, '{', '}', ';'), isOptional ? ' = {}' : ''];
  const head = flat(['(', ...params, ') =>']);
  const length = `  ${propertyKey(key)}: ${head} \`${filled}\`,`.length;
  return `${head}${length > WIDTH ? '\n  ' : ' '}\`${filled}\``;
}
