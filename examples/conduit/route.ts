/** What the hash of the address names, and the addresses of the pages. */
import { computed, signal } from '@preact/signals-core';
import { token } from './session.ts';

export const PAGE_SIZE = 10;
const PRIVATE: ReadonlySet<string> = new Set(['new', 'editor', 'settings']);

export type Route =
  | HomeRoute
  | { readonly name: 'article' | 'editor'; readonly slug: string }
  | ProfileRoute
  | { readonly name: 'new' | 'login' | 'register' | 'settings' };

export interface HomeRoute {
  readonly name: 'home';
  readonly tab: Tab;
  readonly tag?: string;
  readonly page: number;
}

export interface ProfileRoute {
  readonly name: 'profile';
  readonly username: string;
  readonly tab: ProfileTab;
  readonly page: number;
}

export type Tab = 'global' | 'feed' | 'tag';
export type ProfileTab = 'author' | 'favorited';

const hash = signal(location.hash);
addEventListener('hashchange', () => (hash.value = location.hash));

export const route = computed(() => {
  const wanted = routeOf(hash.value);
  return token.value === '' && isPrivate(wanted) ? ({ name: 'login' } as const) : wanted;
});

function isPrivate(route: Route): boolean {
  return route.name === 'home' ? route.tab === 'feed' : PRIVATE.has(route.name);
}

/** `#/tag/signals?page=2` */
export function routeOf(text: string): Route {
  const [path = '', search = ''] = text.replace(/^#\/?/, '').split('?');
  const [name, value = '', third] = path.split('/').map(decodeURIComponent);
  const page = Math.max(1, Number(new URLSearchParams(search).get('page') ?? 1) || 1);
  switch (name) {
    case 'article':
      return { name, slug: value };
    case 'editor':
      return value === '' ? { name: 'new' } : { name, slug: value };
    case 'profile':
      return {
        name,
        username: value,
        tab: third === 'favorites' ? 'favorited' : 'author',
        page,
      };
    case 'login':
    case 'register':
    case 'settings':
      return { name };
    case 'feed':
      return { name: 'home', tab: 'feed', page };
    case 'tag':
      return { name: 'home', tab: 'tag', tag: value, page };
    default:
      return { name: 'home', tab: 'global', page };
  }
}

/** The address of the same list at its first page. */
export function baseOf(route: HomeRoute | ProfileRoute): string {
  if (route.name === 'profile') {
    return route.tab === 'author' ? to.profile(route.username) : to.favorites(route.username);
  }
  if (route.tab === 'tag') return to.tag(route.tag ?? '');
  return route.tab === 'feed' ? to.feed : to.home;
}

export function pageParams(page: number): { readonly limit: number; readonly offset: number } {
  return { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
}

/** The numbers of the pages, for that many articles. */
export function pagesOf(count: number): readonly number[] {
  return Array.from({ length: Math.ceil(count / PAGE_SIZE) }, (_, at) => at + 1);
}

export const to = {
  home: '#/',
  feed: '#/feed',
  new: '#/editor',
  login: '#/login',
  register: '#/register',
  settings: '#/settings',
  tag: (tag: string) => `#/tag/${encodeURIComponent(tag)}`,
  article: (slug: string) => `#/article/${encodeURIComponent(slug)}`,
  edit: (slug: string) => `#/editor/${encodeURIComponent(slug)}`,
  profile: (username: string) => `#/profile/${encodeURIComponent(username)}`,
  favorites: (username: string) => `#/profile/${encodeURIComponent(username)}/favorites`,
} as const;

/** The same list at another page. */
export function toPage(route: HomeRoute | ProfileRoute, page: number): string {
  return page === 1 ? baseOf(route) : `${baseOf(route)}?page=${page}`;
}

export function go(address: string): void {
  location.hash = address;
}
