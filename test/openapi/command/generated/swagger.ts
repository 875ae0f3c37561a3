/**
 * Library 0.9
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, RestEndpoint, sendAs } from 'signalbox';

const urlPrefix = 'https://library.example.com/v1';

export interface BookInput {
  isbn?: string;
  title: string;
  author?: string | null;
  genre?: 'novel' | 'poetry';
  sequel?: BookInput;
}

export class Book extends Entity {
  isbn = '';
  title = '';
  author: string | null = null;
  genre?: 'novel' | 'poetry';
  sequel: Book | null = null;

  static override key = 'Book';
  static override schema = { sequel: Book };

  override pk() {
    return this.isbn;
  }
}

const bookResource = createResource({
  urlPrefix,
  path: '/books/:isbn',
  schema: Book,
  searchParams: {} as { author?: string; page?: number; genre?: string[] },
  body: {} as BookInput,
  paginationField: 'page',
}).extend({
  uploadCover: {
    path: '/books/:isbn/cover',
    method: 'POST',
    body: {} as { file?: Blob } | FormData,
    getRequestInit: sendAs('multipart/form-data'),
    schema: undefined,
  },
});

/** The description has no update, partialUpdate. */
export const BookResource = {
  get: bookResource.get,
  getList: bookResource.getList,
  create: bookResource.create,
  delete: bookResource.delete,
  uploadCover: bookResource.uploadCover,
  extend: bookResource.extend,
};

export const login = new RestEndpoint({
  urlPrefix,
  path: '/login',
  method: 'POST',
  process: (value: { token: string }) => value,
  body: {} as { user: string } | URLSearchParams,
  getRequestInit: sendAs('application/x-www-form-urlencoded'),
});
