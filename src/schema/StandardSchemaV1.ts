/** The Standard Schema interface (https://standardschema.dev, version 1), the part for decoding and validating. */
import { DEV } from '../errors.ts';

/** Any validator of the Standard Schema specification: Zod, Valibot, ArkType and others. */
export interface StandardSchemaV1<In = unknown, Out = In> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Outcome<Out> | Promise<Outcome<Out>>;
    readonly types?: { readonly input: In; readonly output: Out } | undefined;
  };
}

type Outcome<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export function isStandard(schema: unknown): schema is StandardSchemaV1 {
  return (schema as Partial<StandardSchemaV1> | null | undefined)?.['~standard'] !== undefined;
}

/** The value that a schema returns for `input`, or the reason of its failure. */
export function validateStandard<Out>(
  schema: StandardSchemaV1<unknown, Out>,
  input: unknown,
): { readonly value?: Out; readonly reason?: string } {
  const outcome = schema['~standard'].validate(input);
  if (outcome instanceof Promise)
    return { reason: DEV ? 'asynchronous schemas are not supported' : 'asynchronous' };
  const { issues } = outcome;
  return issues === undefined ? { value: outcome.value } : { reason: issueText(issues) };
}

/** The issues of a rejected value as text: `path: message`, joined by commas. */
function issueText(issues: readonly Issue[]): string {
  const texts = issues.map(({ path = [], message }) => {
    const steps = path.map((step) => String(typeof step === 'object' ? step.key : step));
    return steps.length === 0 ? message : `${steps.join('.')}: ${message}`;
  });
  return texts.join(', ');
}
