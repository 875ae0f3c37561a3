// The requests of each part of the story.
import { expect } from 'vitest';

/** As of the addresses of numbered pages. */
export const slice = (page: number) => `limit=10&offset=${(page - 1) * 10}`;
export const list = (page = 1) => `/articles?${slice(page)}`;
export const feed = `/articles/feed?${slice(1)}`;
export const home = [`GET ${list()}`, 'GET /tags'];
export const favorites = `/articles?favorited=ada&${slice(1)}`;
export const favor = 'POST /articles/:slug/favorite';

/** Expects exactly the requests `certain`, in any order; each request in `possible` may occur once. */
export function expectRequests(
  asked: readonly string[],
  certain: readonly string[],
  possible: readonly string[] = [],
) {
  const others = [...possible];
  const left = asked.filter((request) => {
    const at = certain.includes(request) ? -1 : others.indexOf(request);
    return at === -1 || others.splice(at, 1).length === 0;
  });
  expect(left.sort()).toEqual([...certain].sort());
}
