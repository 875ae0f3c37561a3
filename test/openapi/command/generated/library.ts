/**
 * Lending desk 3
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, RestEndpoint, searchStyles, sendAs } from 'signalbox';

const urlPrefix = 'https://desk.invalid/v1';
const deskPrefix = 'http://desk.invalid/v1';

/** The servers of the description. */
export const servers = { https: 'https://desk.invalid/v1', http: 'http://desk.invalid/v1' };

export interface LoanInput {
  id?: number;
  shelf?: string;
}

export interface RemindForm {
  reader: string;
  days?: number[];
  ways?: string[];
  copies?: string[];
}

export class Loan extends Entity {
  id = 0;
  shelf?: string;

  static override key = 'Loan';
}

const loanResource = createResource({
  urlPrefix,
  path: '/loans/:id',
  schema: Loan,
  searchParams: {} as { shelves?: string[]; open?: boolean | null; grid?: number[][] },
  searchToString: searchStyles({ shelves: 'tabDelimited', grid: 'deepObject' }),
  body: {} as LoanInput,
}).extend({
  printSlips: {
    urlPrefix: deskPrefix,
    path: '/loans/:ids/slip',
    content: 'text',
    process: (value: string) => value,
    schema: undefined,
  },
});

/** The description has no update, partialUpdate, delete. */
export const LoanResource = {
  get: loanResource.get,
  getList: loanResource.getList,
  create: loanResource.create,
  printSlips: loanResource.printSlips,
  extend: loanResource.extend,
};

export const remind = new RestEndpoint({
  urlPrefix,
  path: '/reminders',
  method: 'POST',
  body: {} as RemindForm | URLSearchParams,
  getRequestInit: sendAs('application/x-www-form-urlencoded', {
    days: 'commaDelimited',
    ways: 'tabDelimited',
  }),
});

export const addPhoto = new RestEndpoint({
  urlPrefix,
  path: '/photos',
  method: 'POST',
  body: {} as { photo?: Blob } | FormData,
  getRequestInit: sendAs('multipart/form-data'),
});

export const addNote = new RestEndpoint({
  urlPrefix,
  path: '/notes',
  method: 'POST',
  body: {} as { note?: string } | FormData,
  getRequestInit: sendAs('multipart/form-data'),
});
