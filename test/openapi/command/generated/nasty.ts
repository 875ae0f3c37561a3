/**
 * *\/ process.exit(1) /* ${x} `
 *  1'"\
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, RestEndpoint } from 'signalbox';

const urlPrefix = "https://nasty.example.com/'+alert(1)+'";

export interface _123 {
  next?: _123;
  any?: unknown;
  none?: never;
}

export interface Class2 {
  toString?: string;
  'a\nb'?: number;
}

export interface DateType {
  at: string;
}

export type CollectionType = StringType[];

export type StringType = string;

export type EnumX = "a'b" | '\\' | '\u2028' | '*/' | 1 | -1.5 | true | null | '`${x}`';

export type ABC = [string, ABC, ...unknown[]] | null;

export type $ = string & { brand?: 'x' };

export type Never = Record<string, never>;

/** A schema of a response that may have no body. */
const orNull = <S>(schema: S) => schema as S | null;

export class Class extends Entity {
  '0'?: number;
  'class-id' = '';
  /** *\/ throw 1 */
  'my "name"' = "'; throw 1; '";
  new?: Class2;

  static override key = 'Class';

  override pk() {
    return this['class-id'];
  }
}

export class 日本 extends Entity {
  'キー' = '';
  '名前'?: string;
  once?: DateType;

  static override key = '日本';

  override pk() {
    return this['キー'];
  }
}

export class Odd extends Entity {
  id: number | string = 0;
  map?: { a?: string; [key: string]: unknown };

  static override key = 'Odd';
}

const classResource = createResource({
  urlPrefix,
  path: '/class/:"class-id"',
  schema: Class,
  searchParams: {} as { "a'];b"?: string },
}).extend({
  constructor2: {
    path: '/class/:"class-id"/import\\(now\\)\\::a\\b:c\\*',
    method: 'POST',
    body: undefined,
    schema: orNull(Class),
  },
});

/** The description has no create, update, partialUpdate. */
export const ClassResource = {
  get: classResource.get,
  getList: classResource.getList,
  delete: classResource.delete,
  constructor2: classResource.constructor2,
  extend: classResource.extend,
};

const 日本ResourceEndpoints = createResource({ urlPrefix, path: '/日本/:"キー"', schema: 日本 });

/** The description has no getList, create, update, partialUpdate, delete. */
export const 日本Resource = {
  get: 日本ResourceEndpoints.get,
  extend: 日本ResourceEndpoints.extend,
};

const oddResource = createResource({ urlPrefix, path: '/odd/:id', schema: Odd });

/** The description has no getList, create, update, partialUpdate, delete. */
export const OddResource = { get: oddResource.get, extend: oddResource.extend };

export const getEnums = new RestEndpoint({
  urlPrefix,
  path: '/enums',
  process: (value: EnumX) => value,
});

export const await2 = new RestEndpoint({
  urlPrefix,
  path: '/enums',
  method: 'PUT',
  body: undefined,
});
