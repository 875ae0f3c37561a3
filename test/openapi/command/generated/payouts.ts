/**
 * Unions of values 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, RestEndpoint } from 'signalbox';

const urlPrefix = 'https://payouts.invalid';

export type Method = Card | Bank;

export interface Card {
  type: 'card' | 'prepaid';
  number: string;
}

export interface Bank {
  type: 'bank';
  iban: string;
}

export interface Flat {
  cents: number;
  per: 'payout';
}

export interface Share {
  per: 'amount';
  percent: number;
}

export interface Limit {
  code: 'over-limit';
  limit?: number;
}

export interface Closed {
  code: 'closed';
  since?: string;
}

export type Step = Sent | Paid | BaseStep;

export interface Sent {
  step: 'Sent';
  at?: string;
  by?: string;
}

export interface Paid {
  step: 'Paid';
  at?: string;
  cents?: number;
}

export interface BaseStep {
  step: 'Step';
  at?: string;
}

export interface PayoutInput {
  method: Method;
  fees?: (Flat | Share)[];
}

export class Payout extends Entity {
  id = 0;
  method: Method = { type: 'card', number: '' };
  fees: (Flat | Share)[] = [];

  static override key = 'Payout';
}

/** The bodies of errors, by status. */
export interface PayoutError {
  default: Limit | Closed;
}

const payoutResource = createResource({
  urlPrefix,
  path: '/payouts/:id',
  schema: Payout,
  body: {} as PayoutInput,
});

/** The description has no update, partialUpdate, delete. */
export const PayoutResource = {
  get: payoutResource.get,
  getList: payoutResource.getList,
  create: payoutResource.create,
  extend: payoutResource.extend,
};

export const getLog = new RestEndpoint({
  urlPrefix,
  path: '/log',
  process: (value: Step[]) => value,
});
