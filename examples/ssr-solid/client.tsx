/** @jsxImportSource solid-js */
/** Hydrates the page: what the server knew is there before Solid asks. */
import { hydrate } from 'solid-js/web';
import { receiveServerData } from 'signalbox/ssr';
import { moveOn } from '../ssr/moveOn.ts';
import { makeWorld } from '../ssr/world.ts';
import { App } from './App.tsx';

const world = makeWorld();
receiveServerData(world.controller);
moveOn(world);
hydrate(() => <App world={world} />, document.getElementById('root') as HTMLElement);
