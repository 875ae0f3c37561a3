/** @jsxImportSource react */
/** Starts the app in React. */
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

// what a boundary shows need not stand in the console, too
const onCaughtError = () => {};
createRoot(document.getElementById('app') as HTMLElement, { onCaughtError }).render(<App />);
