/** @jsxImportSource solid-js */
/** Starts the app in Solid. */
import { render } from 'solid-js/web';
import { prepare } from '../todo/prepare.ts';
import { App } from './App.tsx';

render(() => <App />, await prepare());
