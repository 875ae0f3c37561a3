/** The code of responses: their schema or type, unions by status, and the types of errors. */
import {
  block,
  docComment,
  flat,
  joinPieces,
  lay,
  property,
  stringLiteral,
  valueKeyOf,
} from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { Definition } from './ApiDocument.ts';
import type { Options } from './Endpoints.ts';
import type { BodyForm, MediaContent } from './readContent.ts';
import type { Finding } from './droppedIn.ts';
import { pascal } from './ModuleNames.ts';
import type { DescribedOperation, StatusOutcome } from './operationsOf.ts';
import type { EntityWrappers, Writers } from './Schemas.ts';
import { emptyJson } from './printEntity.ts';
import { isWhole } from './Identities.ts';
import { withoutNull } from './Shape.ts';
import type { Shape } from './Shape.ts';

/** How a form of a body is read, and the type of the value. */
export const AS: Readonly<Record<BodyForm, { readonly content: string; readonly type: string }>> = {
  json: { content: '', type: '' },
  form: { content: 'text', type: 'FormData' },
  search: { content: 'text', type: 'URLSearchParams' },
  text: { content: 'text', type: 'string' },
  bytes: { content: 'blob', type: 'Blob' },
  stream: { content: 'stream', type: 'ReadableStream<Uint8Array> | null' },
};

/*
 *   successes                       a value without entities       with entities
 *   a single body                   process: (value: A) => value   schema: A
 *   a single body, and none         A | null                       of a mutation: A or null; a list: [], { rows: [] }
 *   several bodies                  { status: 200; body: A } | { status: 202; body: B }
 */
export class ResponseWriter {
  readonly #writers: Writers;
  /** The names of unions by status. */
  readonly #unions = new Map<DescribedOperation, string>();

  constructor(writers: Writers) {
    this.#writers = writers;
  }

  /** The decoding of a response: with a schema if there are entities, else with a type. */
  options(operation: DescribedOperation, wraps: EntityWrappers): Options {
    const { form, shape } = operation.response;
    if (shape === undefined) return new Map();
    if (this.isByStatus(operation)) return this.#byStatus(operation, wraps);
    const { types, schemas } = this.#writers;
    const end = this.mayBeEmpty(operation) ? ' | null' : '';
    if (form !== 'json') {
      const { content, type } = AS[form === 'form' || form === 'search' ? 'text' : form];
      const whole = type.endsWith('| null') ? type : type + end;
      return new Map<string, CodePiece>([
        ['content', stringLiteral(content)],
        ['process', `(value: ${whole}) => value`],
      ]);
    }
    const schema = schemas.ofResponse(shape, wraps);
    if (schema !== undefined) return this.#orEmpty(operation, schema);
    const type = types.text(shape, 'read');
    return flat(type) === 'unknown'
      ? new Map()
      : new Map([['process', ['(value: ', type, `${end}) => value`]]]);
  }

  /** A schema whose response may have no body. */
  #orEmpty(operation: DescribedOperation, schema: CodePiece): Options {
    const options: Options = new Map([['schema', this.orNull(operation, schema)]]);
    const empty = this.emptyList(operation);
    if (empty !== undefined) options.set('process', `(value: unknown) => value ?? ${empty}`);
    return options;
  }

  /** The schema of a mutation that may be answered without a body. */
  orNull(operation: DescribedOperation, schema: CodePiece): CodePiece {
    const isNull = operation.method !== 'GET' && this.mayBeEmpty(operation);
    return isNull ? ['orNull(', schema, ')'] : schema;
  }

  /** The code of an empty list, also in an envelope, for a list that is read and may have no body. */
  emptyList(operation: DescribedOperation): string | undefined {
    const { method, response } = operation;
    const { identities } = this.#writers;
    const rows = identities.rowsOf(operation);
    if (method !== 'GET' || rows === undefined || !this.mayBeEmpty(operation)) return undefined;
    return this.#emptyRows(response.shape, rows.within);
  }

  /** The empty list within these members, beside the required members. */
  #emptyRows(shape: Shape | undefined, [name, ...inner]: readonly string[]): string {
    if (name === undefined || shape === undefined) return '[]';
    const envelope = this.#writers.shapes.follow(withoutNull(shape).shape);
    const members = envelope.is === 'object' ? envelope.members : [];
    const parts = members.flatMap((each) => {
      const isRows = each.name === name;
      const value = isRows
        ? this.#emptyRows(each.shape, inner)
        : emptyJson(each.shape, this.#writers);
      return value !== undefined && (each.required || isRows)
        ? [`${valueKeyOf(each.name)}: ${value}`]
        : [];
    });
    return flat(block(parts));
  }

  /** True if some successes have a body, and others have none. */
  mayBeEmpty({ response: { successes } }: DescribedOperation): boolean {
    const isEmpty = ({ content }: StatusOutcome) => content === undefined;
    return successes.some(isEmpty) && !successes.every(isEmpty);
  }

  /** True if the successes have different bodies. */
  isByStatus({ response: { successes } }: DescribedOperation): boolean {
    const types = successes.flatMap(({ content }) =>
      content === undefined ? [] : [flat(this.#type(content))],
    );
    const areNumbers = successes.every(({ status }) => /^\d+$/.test(status));
    return areNumbers && new Set(types).size > 1;
  }

  /** The successes with another body than the typed body. */
  untypedOf({ place, response: { form, shape, successes } }: DescribedOperation): Finding[] {
    const [main] = successes.filter(({ content }) => content !== undefined);
    const typeOf = (content: Pick<MediaContent, 'form' | 'shape'>) => flat(this.#type(content));
    const own = shape && typeOf({ form, shape });
    return successes.flatMap(({ status, content }): Finding[] => {
      if (content === undefined || typeOf(content) === own) return [];
      const reason = `the response is typed like the response with status ${main?.status}`;
      return [{ kind: 'dropped', place: `${place}/responses/${status}`, reason }];
    });
  }

  /** The successes of the deletion of a record that bring anything else than the record. */
  unreadOf({ place, response: { successes } }: DescribedOperation, of: Definition): Finding[] {
    const { identities, types } = this.#writers;
    const reason = 'the response to a deletion is typed as the deleted record';
    return successes.flatMap(({ status, content }): Finding[] => {
      const record = content && identities.recordIn(content.shape);
      const isTold = content !== undefined && !isVague(flat(types.text(content.shape, 'read')));
      const isOwn = record && isWhole(record) && identities.entitiesOf(of).includes(record.of);
      return isTold && isOwn !== true
        ? [{ kind: 'dropped', place: `${place}/responses/${status}`, reason }]
        : [];
    });
  }

  /** The successes of a creation or an update that bring content and no record, so that no list and no record changes. */
  recordlessOf({ place, response: { successes } }: DescribedOperation): Finding[] {
    const { identities } = this.#writers;
    const isRecordless = (content: MediaContent | undefined) =>
      content !== undefined && identities.recordIn(content.shape) === undefined;
    const isPlain = successes.every(({ content }) => !content || isRecordless(content));
    const reason = 'the response lacks the record: stored lists and records are unchanged';
    return successes.flatMap(({ status, content }): Finding[] =>
      isPlain && isRecordless(content)
        ? [{ kind: 'dropped', place: `${place}/responses/${status}`, reason }]
        : [],
    );
  }

  #type({ form, shape }: Pick<MediaContent, 'form' | 'shape'>): CodePiece {
    return form === 'json' ? this.#writers.types.text(shape, 'read') : AS[form].type;
  }

  #byStatus(operation: DescribedOperation, wraps: EntityWrappers): Options {
    const { schemas } = this.#writers;
    const { successes } = operation.response;
    const found = successes.map(({ status, content }) => {
      const schema =
        content?.form === 'json' ? schemas.ofResponse(content.shape, wraps) : undefined;
      const type = content === undefined ? 'null' : this.#type(content);
      return { status, schema, type };
    });
    const options: Options = new Map([['parseResponse', 'withStatus']]);
    if (found.some(({ schema }) => schema !== undefined)) {
      const parts = found.map(({ status, schema, type }): CodePiece => {
        const body = schema ?? ['(value: ', type, ') => value'];
        return property(status, block([`status: (value: ${status}) => value`, ['body: ', body]]));
      });
      options.set('schema', ['new Union', block([block(parts), "'status'"], '(', ')')]);
      return options;
    }
    const parts = found.map(({ status, type }): CodePiece =>
      block([`status: ${status}`, ['body: ', type]], '{', '}', ';'),
    );
    options.set('process', `(value: ${this.#union(operation, joinPieces(parts, ' | '))}) => value`);
    return options;
  }

  #union(operation: DescribedOperation, code: CodePiece): string {
    const known = this.#unions.get(operation);
    if (known !== undefined) return known;
    const name = this.#writers.types.alias(`${pascal(operation.name)}Response`, code);
    this.#unions.set(operation, name);
    return name;
  }

  /** The bodies of errors by status, as a type with this name; nothing if none is described. */
  errors(name: string, operations: readonly DescribedOperation[]): string {
    const types = new Map<string, Set<string>>();
    for (const { status, content } of operations.flatMap(({ response }) => response.errors)) {
      if (content === undefined) continue;
      const type =
        content.form === 'json'
          ? flat(this.#writers.types.text(content.shape, 'raw'))
          : AS[content.form].type;
      const key = /^\d+$|^default$/.test(status) ? status : stringLiteral(status.toUpperCase());
      types.set(key, (types.get(key) ?? new Set()).add(type));
    }
    if (types.size === 0) return '';
    const parts = [...types]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, all]): CodePiece => [`${key}: `, joinPieces([...all], ' | ')]);
    const doc = docComment('The bodies of errors, by status.');
    const members = lay({ open: '{', close: '}', parts, mark: ';', tall: true });
    return `${doc}export interface ${this.#writers.names.take(`${name}Error`, `${name}Errors`)} ${members}\n\n`;
  }
}

/** True for the type of a value without described members. */
const isVague = (type: string): boolean =>
  /^(?:unknown|\{ \[key: string\]: unknown \}(?: \| null)?)$/.test(type);
