/** @jsxImportSource react */
/** Hydrates the page: what the server knew is there before React asks. */
import { hydrateRoot } from 'react-dom/client';
import { receiveServerData } from 'signalbox/ssr';
import { moveOn } from '../ssr/moveOn.ts';
import { makeWorld } from '../ssr/world.ts';
import { App } from './App.tsx';

const world = makeWorld();
receiveServerData(world.controller);
moveOn(world);
hydrateRoot(document, <App world={world} />);
