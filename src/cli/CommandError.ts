/** All error messages of the command: each has the problem, the place, the reason and the fix in one line. */

/** Ends the command with exit code 2 and one line for the user. */
export class CommandError extends Error {
  override readonly name = 'Failure';
}

const sentences = {
  usage: (reason: string) => `${reason}; see \`signalbox openapi --help\``,
  command: (name: string) => `there is no command ${show(name)}; see \`signalbox --help\``,
  parser: (name: string) => `reading OpenAPI needs ${name}: run \`npm install --save-dev ${name}\``,
  unreadable: (file: string, reason: string) => `cannot read ${show(file)}: ${reason}`,
  unwritable: (file: string, reason: string) => `cannot write ${show(file)}: ${reason}`,
  syntax: (file: string, reason: string) =>
    `${show(file)} is neither JSON nor YAML with an object in it: ${reason}`,
  config: (file: string, reason: string) =>
    `${show(file)} says no names: ${reason}; see docs/openapi.md`,
  version: (file: string, found: unknown) =>
    `${show(file)} says ${show(found)} where an OpenAPI version is due; give it openapi 3.0, 3.1 or 3.2, or swagger 2.0`,
  remote: (place: string, ref: string) =>
    `${place}: $ref ${show(ref)} leads to another document, which is no file that can be read from here; bundle them into one first`,
  unresolved: (place: string, ref: string) =>
    `${place}: $ref ${show(ref)} leads nowhere in this document; name something that is there`,
  badRef: (place: string) => `${place}: a $ref is a text such as '#/components/schemas/Todo'`,
  circular: (place: string, ref: string) =>
    `${place}: $ref ${show(ref)} leads back to itself and says nothing; put a property or a list between`,
  unfit: (file: string, reason: string) =>
    `${show(file)} cannot be turned into resources: ${reason}`,
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

/** A value in quotes, on one line and cut. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? 'nothing');
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
  return line.length > 90 ? `${line.slice(0, 88)}…'` : line;
}

/** The reason of an error, on one line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] as string).replace(/[:\s]+$/, '');
}
