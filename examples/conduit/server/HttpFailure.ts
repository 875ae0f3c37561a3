/** A refusal as the RealWorld API words it: a status and `{errors: {field: [text]}}`. */
export class HttpFailure extends Error {
  readonly status: number;
  readonly errors: Readonly<Record<string, readonly string[]>>;

  constructor(status: number, field: string, text: string) {
    super(`${field} ${text}`);
    this.status = status;
    this.errors = { [field]: [text] };
  }
}

/** Throws 422 for the first of these fields that is empty. */
export function requireFields(body: object, names: readonly string[]): void {
  for (const name of names) {
    const value = (body as Record<string, unknown>)[name];
    if (typeof value !== 'string' || value.trim() === '') {
      throw new HttpFailure(422, name, "can't be blank");
    }
  }
}
