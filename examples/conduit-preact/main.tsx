/** @jsxImportSource preact */
/** Starts the app in Preact. */
import { render } from 'preact';
import { App } from './App.tsx';

render(<App />, document.getElementById('app') as HTMLElement);
