// How React creates and renders a component.
import { createElement } from 'react';
import { renderToString } from 'react-dom/server.browser';

export const reactView = {
  create: (type, { children, ...props }) => createElement(type, props, children?.()),
  render: (view) => renderToString(view()),
};
export const views = { react: reactView };
