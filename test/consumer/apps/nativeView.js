// How React creates and renders a component, without the half of `react-dom/server` that streams: compiling takes seconds.
import { createElement } from 'react';
import { renderToString } from './node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js';

export const views = {
  react: {
    create: (type, { children, ...props }) => createElement(type, props, children?.()),
    render: (view) => renderToString(view()),
  },
};
