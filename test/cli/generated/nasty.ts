/**
 * *\/ process.exit(1) /* ${x} `
 *  1'"\
 *
 * Written by `signalbox openapi`: what is changed here is lost when it is written anew.
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

export interface Date2 {
  at: string;
}

export type Collection2 = String2[];

export type String2 = string;

export type EnumX = "a'b" | '\\' | '\u2028' | '*/' | 1 | -1.5 | true | null | '`${x}`';

export type ABC = [string, ABC, ...unknown[]] | null;

export type $ = string & { brand?: 'x' };

export type Never = Record<string, never>;

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
  once?: Date2;

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

const class2 = createResource({
  urlPrefix,
  path: '/class/:classId',
  schema: Class,
  searchParams: {} as { "a'];b"?: string },
}).extend({
  constructor2: {
    path: '/class/:classId/import\\(now\\)\\::a\\b:c\\*',
    method: 'POST',
    body: undefined,
    schema: undefined,
  },
});

/** The server has no create, update, partialUpdate. */
export const ClassResource = {
  get: class2.get,
  getList: class2.getList,
  delete: class2.delete,
  constructor2: class2.constructor2,
  extend: class2.extend,
};

const 日本2 = createResource({ urlPrefix, path: '/日本/:param', schema: 日本 });

/** The server has no getList, create, update, partialUpdate, delete. */
export const 日本Resource = { get: 日本2.get, extend: 日本2.extend };

const odd = createResource({ urlPrefix, path: '/odd/:id', schema: Odd });

/** The server has no getList, create, update, partialUpdate, delete. */
export const OddResource = { get: odd.get, extend: odd.extend };

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
