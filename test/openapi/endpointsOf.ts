/** The endpoints of a written module, alone and in resources, and the matching operations of the description. */
import type { RestEndpoint } from 'signalbox';
import type { DescribedOperation, Description } from './Description.ts';

export interface WrittenEndpoint {
  /** As a program calls the endpoint: `TodoResource.getList`. */
  readonly name: string;
  readonly endpoint: RestEndpoint;
  /** The operation with the same method and path; undefined where the description has none. */
  readonly of: DescribedOperation | undefined;
}

/** Each endpoint that a module exports. */
export function endpointsOf(api: object, description: Description): WrittenEndpoint[] {
  const operations = new Map(
    description.operations.map((of) => [`${of.method} ${form(of.path)}`, of] as const),
  );
  return Object.entries(api).flatMap(([name, value]: [string, unknown]) => {
    const found: [string, unknown][] = isEndpoint(value)
      ? [[name, value]]
      : Object.entries(isResource(value) ? value : {}).map(([key, each]) => [
          `${name}.${key}`,
          each,
        ]);
    return found.flatMap(([called, endpoint]) => {
      if (!isEndpoint(endpoint)) return [];
      const method = endpoint.method ?? 'GET';
      const of = operations.get(`${method} ${form(endpoint.path as string)}`);
      return [{ name: called, endpoint, of }];
    });
  });
}

/** The names of the parameters in the path of an endpoint. */
export const paramsOf = (path: string): string[] =>
  [...path.matchAll(PARAM)].map(([, plain, quoted]) => plain ?? (quoted as string));

/** The name of a search param in the arguments: another name if a path parameter has the same name. */
export const nameIn = (endpoint: RestEndpoint, name: string): string =>
  paramsOf(endpoint.path as string).includes(name) ? `${name}Query` : name;

export const isResource = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.values(value).some(isEndpoint);

const isEndpoint = (value: unknown): value is RestEndpoint =>
  typeof value === 'function' && 'path' in value && 'url' in value;

const PARAM = /:(?:(\w+)|"([^"]+)")/g;

/** A path without the names of parameters, and without the escapes of the path syntax. */
const form = (path: string): string =>
  path
    .replace(/\\(.)/g, (_, letter: string) => (letter === ':' ? '\u0001' : letter))
    .replace(/\{[^{}]+\}/g, '\u0000')
    .replace(PARAM, '\u0000')
    .replaceAll('\u0001', ':');
