/** The type of `date-time` values in the generated module: Date, a type of the user's own, or text. */
import { stringLiteral } from './CodePiece.ts';

/** A date of an entity, in a body, in a search param, or in JSON that no schema decodes. */
export type DateForm = 'read' | 'sent' | 'param' | 'text';

export class DateKind {
  /** The function of the user that makes a date of a text; undefined: the class Date. */
  readonly #maker: string | undefined;

  constructor(maker?: string) {
    this.#maker = maker;
  }

  /** The schema that decodes a date. */
  get schema(): string {
    return this.#maker ?? 'Date';
  }

  /** The type in the given form. */
  type(form: DateForm): string {
    if (form === 'text') return 'string';
    if (form === 'param') return 'Date | string';
    const type = this.#maker === undefined ? 'Date' : `ReturnType<typeof ${this.#maker}>`;
    return form === 'read' ? type : `${type} | string`;
  }

  /** The code of a date; without a text the earliest. */
  value(text?: string): string {
    if (this.#maker === undefined)
      return `new Date(${text === undefined ? '0' : stringLiteral(text)})`;
    return `${this.#maker}(${stringLiteral(text ?? '1970-01-01T00:00:00Z')})`;
  }
}
