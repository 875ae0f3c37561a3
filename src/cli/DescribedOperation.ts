/** An operation of a document: what it takes, and what it answers. */
import type { Path } from './Path.ts';
import type { Member, Shape } from './Shape.ts';

/** In capitals: `GET`, or whatever else the description has. */
export type Method = string;

/** How a body is sent or read, where it is not JSON. */
export type BodyForm = 'json' | 'form' | 'search' | 'text' | 'bytes' | 'stream';

export interface DescribedOperation {
  /** The operationId as an identifier, else made of method and path. */
  readonly name: string;
  /** The same as a member of a resource: without the group that it begins with, `issues/lock` as `lock`. */
  readonly shortName: string;
  /** True for names that somebody gave. */
  readonly isRenamed: boolean;
  readonly method: Method;
  readonly path: string;
  readonly segments: Path;
  /** The types of the params in the path. */
  readonly params: ReadonlyMap<string, Shape>;
  readonly query: readonly Member[];
  readonly headers: readonly Member[];
  readonly cookies: readonly Member[];
  /** Requests that the server sends when this one is done. */
  readonly callbacks: readonly string[];
  readonly body: Body | undefined;
  readonly answer: Answer;
  readonly doc: string | undefined;
  readonly isDeprecated: boolean;
}

/** What is sent. */
export interface Body {
  readonly form: BodyForm;
  readonly shape: Shape;
  /** True where the description says that nothing need be sent. */
  readonly isOptional: boolean;
}

/** What comes of a success; without a shape nothing does. */
export interface Answer {
  readonly form: BodyForm;
  readonly shape: Shape | undefined;
  /** What the description shows of it. */
  readonly examples: readonly unknown[];
}
