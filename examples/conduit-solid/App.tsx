/** @jsxImportSource solid-js */
/** Conduit in Solid: a header, and the page that the address names. */
import { createMemo, Match, Show, Switch } from 'solid-js';
import { AsyncBoundary, Provider, useController } from 'signalbox/solid';
import { createStore, logOut } from '../conduit/api.ts';
import { route, to } from '../conduit/route.ts';
import { token } from '../conduit/session.ts';
import type { HomeRoute, ProfileRoute, Route } from '../conduit/route.ts';
import { Login, Register, Settings } from './Account.tsx';
import { ArticlePage } from './ArticlePage.tsx';
import { Edit, New } from './Editor.tsx';
import { Home } from './Home.tsx';
import { useSignal, useUser } from './hooks.ts';
import { Failed, Waiting } from './parts.tsx';
import { ProfilePage } from './ProfilePage.tsx';

const store = createStore();

export function App() {
  const shown = useSignal(route);
  const current = useSignal(token);
  return (
    <Provider controller={store}>
      <header class="top">
        <a class="brand" href={to.home}>
          conduit
        </a>
        <AsyncBoundary fallback={<nav />} errorComponent={NoMenu} resetKeys={[current()]}>
          <Menu />
        </AsyncBoundary>
      </header>
      <main>
        <AsyncBoundary
          fallback={<Waiting />}
          errorComponent={Failed}
          resetKeys={[shown(), current()]}
        >
          <Page route={shown()} />
        </AsyncBoundary>
      </main>
    </Provider>
  );
}

const NoMenu = () => <nav />;

function Menu() {
  const controller = useController();
  const user = useUser();
  return (
    <Show when={user()} fallback={<Entrance />}>
      {(user) => (
        <nav aria-label="Menu">
          <a href={to.new}>New article</a>
          <a href={to.settings}>Settings</a>
          <a href={to.profile(user().username)}>{user().username}</a>
          <button type="button" onClick={() => logOut(controller)}>
            Log out
          </button>
        </nav>
      )}
    </Show>
  );
}

function Entrance() {
  return (
    <nav aria-label="Menu">
      <a href={to.login}>Log in</a>
      <a href={to.register}>Register</a>
    </nav>
  );
}

function Page(props: { readonly route: Route }) {
  const is = (name: Route['name']) => props.route.name === name;
  // one article, and one form, for each address
  const slugOf = (name: 'article' | 'editor') =>
    createMemo(() => props.route.name === name && props.route.slug);
  const article = slugOf('article');
  const edited = slugOf('editor');
  return (
    <Switch>
      <Match when={is('home')}>
        <Home route={props.route as HomeRoute} />
      </Match>
      <Match when={is('profile')}>
        <ProfilePage route={props.route as ProfileRoute} />
      </Match>
      <Match when={article()} keyed>
        {(slug) => <ArticlePage slug={slug} />}
      </Match>
      <Match when={edited()} keyed>
        {(slug) => <Edit slug={slug} />}
      </Match>
      <Match when={is('new')}>
        <New />
      </Match>
      <Match when={is('login')}>
        <Login />
      </Match>
      <Match when={is('register')}>
        <Register />
      </Match>
      <Match when={is('settings')}>
        <Settings />
      </Match>
    </Switch>
  );
}
