/** An operation of a document: its parameters and its response. */
import type { Path } from './Path.ts';
import type { Member, Shape } from './Shape.ts';

/** In capitals: `GET`, or any other method of the description. */
export type Method = string;

/** The encoding of a body. */
export type BodyForm = 'json' | 'form' | 'search' | 'text' | 'bytes' | 'stream';

export interface DescribedOperation {
  /** The operationId as an identifier, else made of method and path. */
  readonly name: string;
  /** The name as a member of a resource: without the group prefix, `issues/lock` as `lock`. */
  readonly shortName: string;
  /** True for names from the user. */
  readonly isRenamed: boolean;
  readonly method: Method;
  readonly path: string;
  readonly segments: Path;
  /** The types of the params in the path. */
  readonly params: ReadonlyMap<string, Shape>;
  readonly query: readonly Member[];
  readonly headers: readonly Member[];
  readonly cookies: readonly Member[];
  /** Requests that the server sends after this operation. */
  readonly callbacks: readonly string[];
  readonly body: Body | undefined;
  readonly answer: Answer;
  readonly doc: string | undefined;
  readonly isDeprecated: boolean;
}

/** The request body. */
export interface Body {
  readonly form: BodyForm;
  readonly shape: Shape;
  /** True if the description allows a request without a body. */
  readonly isOptional: boolean;
}

/** The response of a success; without a shape it has no body. */
export interface Answer {
  readonly form: BodyForm;
  readonly shape: Shape | undefined;
  /** The examples in the description. */
  readonly examples: readonly unknown[];
}
