/** @jsxImportSource preact */
/** Hydrates the page: what the server knew is there before Preact asks. */
import { hydrate } from 'preact';
import { receiveServerData } from 'signalbox/ssr';
import { moveOn } from '../ssr/moveOn.ts';
import { makeWorld } from '../ssr/world.ts';
import { App } from './App.tsx';

const world = makeWorld();
receiveServerData(world.controller);
moveOn(world);
// what was streamed late is moved to its place in a frame that was asked for before this one
requestAnimationFrame(() => {
  hydrate(<App world={world} />, document.getElementById('root') as HTMLElement);
});
