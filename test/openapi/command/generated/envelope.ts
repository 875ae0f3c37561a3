/**
 * Tickets 3.1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, RestEndpoint, searchStyles } from 'signalbox';

const urlPrefix = '';

export interface Agent {
  name?: string;
}

export interface TicketAnswer {
  data: Ticket;
}

export interface Facet {
  value: string;
  count: number;
}

export interface TicketPage {
  results: Ticket[];
  total: number;
  next?: string | null;
  facets?: Facet[];
}

export interface TicketInput {
  status: 'open' | 'closed';
  title?: string | null;
  secret?: string;
  assignee?: Agent;
}

/** The other arguments of pk(): the last has the arguments of the request. */
type PkArgs = [parent?: unknown, key?: string, args?: readonly unknown[]];

/** The params in the address of a record, else the params of the request. */
const paramsOf = (
  [, , args]: PkArgs,
  own?: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | undefined>> => own ?? Object(args?.[0]);

export class Ticket extends Entity {
  ticketId = '';
  status: 'open' | 'closed' = 'open';
  title: string | null = null;
  assignee?: Agent;

  static override key = 'Ticket';

  override pk(...call: PkArgs) {
    const { ticket_id } = paramsOf(call);
    return this.ticketId ?? ticket_id;
  }
}

const ticketResource = createResource({
  urlPrefix,
  path: '/tickets/:ticket_id/',
  schema: Ticket,
  searchParams: {} as {
    cursor?: string;
    page_size?: number;
    status?: 'open' | 'closed';
    ids?: number[];
    filter?: { owner?: string };
  },
  searchToString: searchStyles({ ids: 'commaDelimited', filter: 'deepObject' }),
  body: {} as TicketInput,
  paginationField: 'cursor',
}).extend({
  get: { schema: { data: Ticket } },
  getList: {
    path: '/tickets/',
    schema: {
      results: new Collection([Ticket], { nonFilterArgumentKeys: ['cursor', 'page_size'] }),
      total: 0,
      next: (value: string | null | undefined) => value,
      facets: (value: Facet[] | undefined) => value,
    },
  },
  create: { path: '/tickets/', schema: { data: new Collection([Ticket]).push } },
  update: { schema: { data: Ticket } },
  /**
   * Closes it.
   * Nobody can open it again. *\/ \@deprecated
   */
  close: {
    path: '/tickets/:ticket_id/close/',
    method: 'POST',
    schema: { data: Ticket },
    body: undefined,
  },
});

/** The description has no partialUpdate, delete. */
export const TicketResource = {
  get: ticketResource.get,
  getList: ticketResource.getList,
  create: ticketResource.create,
  update: ticketResource.update,
  close: ticketResource.close,
  extend: ticketResource.extend,
};

export const report = new RestEndpoint({
  urlPrefix,
  path: '/reports',
  content: 'text',
  process: (value: string) => value,
});

export const events = new RestEndpoint({
  urlPrefix,
  path: '/events',
  content: 'stream',
  process: (value: ReadableStream<Uint8Array> | null) => value,
});
