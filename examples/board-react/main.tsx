/** @jsxImportSource react */
/** Starts the app in React. */
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

createRoot(document.getElementById('app') as HTMLElement).render(<App />);
