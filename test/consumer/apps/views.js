// How the frameworks create and render a component.
import { h } from 'preact';
import { renderToString as renderPreact } from 'preact-render-to-string';
import { createComponent } from 'solid-js';
import { renderToString as renderSolid } from 'solid-js/web';
import { reactView } from './reactView.js';

const solidComponent = (type, { children, ...props }) =>
  createComponent(type, {
    ...props,
    get children() {
      return children?.();
    },
  });

export const views = {
  react: reactView,
  preact: {
    create: (type, { children, ...props }) => h(type, props, children?.()),
    render: (view) => renderPreact(view()),
  },
  solid: { create: solidComponent, render: renderSolid },
};
