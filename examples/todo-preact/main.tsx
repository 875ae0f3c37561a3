/** @jsxImportSource preact */
/** Starts the app in Preact. */
import { render } from 'preact';
import { prepare } from '../todo/prepare.ts';
import { App } from './App.tsx';

render(<App />, await prepare());
