/** @jsxImportSource solid-js */
/** Starts the app in Solid. */
import { render } from 'solid-js/web';
import { App } from './App.tsx';

render(() => <App />, document.getElementById('app') as HTMLElement);
