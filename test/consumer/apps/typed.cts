// The public names, as typed CommonJS sees them.
import { Controller, Entity } from 'signalbox';
import react = require('signalbox/react');

export const controller: Controller = new Controller();
export class Todo extends Entity {
  title = '';
}
export const reader = [react.useSuspense, react.useController, react.Provider, react.DataProvider];
