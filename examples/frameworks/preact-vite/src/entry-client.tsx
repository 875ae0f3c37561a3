import { hydrate } from 'preact';
import { Controller } from 'signalbox';
import { receiveServerData } from 'signalbox/ssr';
import { App } from './App';

const controller = new Controller();
receiveServerData(controller);
hydrate(<App controller={controller} />, document.getElementById('root') as HTMLElement);
