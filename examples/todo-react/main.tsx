/** @jsxImportSource react */
/** Starts the app in React. */
import { createRoot } from 'react-dom/client';
import { prepare } from '../todo/prepare.ts';
import { App } from './App.tsx';

createRoot(await prepare()).render(<App />);
