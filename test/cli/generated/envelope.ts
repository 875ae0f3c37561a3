/**
 * Tickets 3.1
 *
 * Written by `signalbox openapi`: what is changed here is lost when it is written anew.
 */
import { Collection, createResource, Entity, RestEndpoint } from 'signalbox';

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

export class Ticket extends Entity {
  ticketId = '';
  status: 'open' | 'closed' = 'open';
  title: string | null = null;
  assignee?: Agent;

  static override key = 'Ticket';

  override pk() {
    return this.ticketId;
  }
}

const ticket = createResource({
  urlPrefix,
  path: '/tickets/:ticketId/',
  schema: Ticket,
  searchParams: {} as {
    cursor?: string;
    page_size?: number;
    status?: 'open' | 'closed';
    ids?: string;
    'filter[owner]'?: string;
  },
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
  ticketsClose: {
    path: '/tickets/:ticketId/close/',
    method: 'POST',
    schema: { data: Ticket },
    body: undefined,
  },
});

/** The server has no partialUpdate, delete. */
export const TicketResource = {
  get: ticket.get,
  getList: ticket.getList,
  create: ticket.create,
  update: ticket.update,
  ticketsClose: ticket.ticketsClose,
  extend: ticket.extend,
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
