/** The one store of the page, and what the server has. */
import { Controller } from 'signalbox';
import { makeResources } from '../resources.ts';
import { tellExchange } from './tally.ts';

export const controller = new Controller();
export const { todos, users } = makeResources(`${location.origin}/api`, tellExchange);
