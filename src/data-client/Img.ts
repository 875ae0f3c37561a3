/** An image that suspends until loaded. */
import { createElement } from 'react';
import type { ComponentProps, ElementType, ReactElement } from 'react';
import { Endpoint } from '../endpoint/Endpoint.ts';
import { isServer } from '../page.ts';
import { useSuspense } from './useSuspense.ts';

/** The endpoint of an image: `controller.fetch(getImage, { src })` preloads the image. */
export const getImage: Endpoint<(params: { readonly src: string }) => Promise<string>> =
  /* @__PURE__ */ new Endpoint(loadImage, { name: 'getImage', dataExpiryLength: 3_600_000 });

function loadImage({ src }: { readonly src: string }): Promise<string> {
  if (isServer() || typeof Image === 'undefined') return Promise.resolve(src);
  return new Promise((resolve) => {
    const image = new Image();
    const end = () => resolve(src);
    image.addEventListener('load', end);
    // a browser shows the alternative text of a broken image
    image.addEventListener('error', end);
    image.src = src;
  });
}

/** The props of `component`, by default an image. */
export type ImgProps<C extends ElementType = 'img'> = ComponentProps<C> & {
  readonly component?: C;
};

/** `<Img src={url} alt="" />`: suspends, inside of a provider, until the image is loaded. */
export function Img<C extends ElementType = 'img'>(props: ImgProps<C>): ReactElement {
  const { component = 'img', ...rest } = props as ImgProps;
  const { src } = rest;
  useSuspense(getImage, ...(src === undefined ? ([null] as const) : ([{ src }] as const)));
  return createElement(component, rest);
}
