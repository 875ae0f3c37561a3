/** All error messages of the command: each has the problem, the place, the reason and the fix in a single line. */

/** Ends the command with exit code 2 and a single line for the user. */
export class CommandError extends Error {
  override readonly name = 'Failure';
}

const sentences = {
  usage: (reason: string) => `${reason}; see \`signalbox openapi --help\``,
  command: (name: string) => `there is no command ${show(name)}; see \`signalbox --help\``,
  parser: (name: string) => `reading OpenAPI needs ${name}: run \`npm install --save-dev ${name}\``,
  migrate: (reason: string) => `${reason}; see \`signalbox migrate --help\``,
  moduleParser: (name: string) =>
    `reading modules needs ${name}: run \`npm install --save-dev ${name}\``,
  unreadable: (file: string, reason: string) => `cannot read ${show(file)}: ${reason}`,
  unwritable: (file: string, reason: string) => `cannot write ${show(file)}: ${reason}`,
  syntax: (file: string, reason: string) =>
    `${show(file)} is not JSON or YAML with an object: ${reason}`,
  config: (file: string, reason: string) =>
    `${show(file)} is not a valid configuration: ${reason}; see docs/openapi.md`,
  version: (file: string, found: unknown) =>
    `${show(file)} has ${show(found)} as its OpenAPI version; supported are openapi 3.0, 3.1 and 3.2, and swagger 2.0`,
  remote: (place: string, ref: string) =>
    `${place}: $ref ${show(ref)} names another document, which is not a readable file; bundle the documents into one first`,
  unresolved: (place: string, ref: string) =>
    `${place}: $ref ${show(ref)} does not exist in this document; correct the pointer`,
  badRef: (place: string) => `${place}: a $ref must be a string, as in '#/components/schemas/Todo'`,
  circular: (place: string, ref: string) =>
    `${place}: $ref ${show(ref)} refers to itself; put a property or a list into the cycle`,
  unfit: (file: string, reason: string) =>
    `${show(file)} cannot be converted to resources: ${reason}`,
};

type Sentences = typeof sentences;

/** The error with this name and these details. */
export function failure<K extends keyof Sentences>(
  name: K,
  ...told: Parameters<Sentences[K]>
): CommandError {
  const say = sentences[name] as (...told: readonly unknown[]) => string;
  return new CommandError(say(...told));
}

/** A value in quotes, on a single line and cut. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? 'nothing');
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
  return line.length > 90 ? `${line.slice(0, 88)}…'` : line;
}

/** The reason of an error, on a single line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] as string).replace(/[:\s]+$/, '');
}
