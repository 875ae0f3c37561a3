/** @jsxImportSource react */
/** Conduit in React: a header, and the page that the address names. */
import { AsyncBoundary, Provider, useController } from 'signalbox/react';
import { createStore, logOut } from '../conduit/api.ts';
import { route, to } from '../conduit/route.ts';
import { token } from '../conduit/session.ts';
import type { Route } from '../conduit/route.ts';
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
      <header className="top">
        <a className="brand" href={to.home}>
          conduit
        </a>
        <AsyncBoundary fallback={<nav />} errorComponent={NoMenu} resetKeys={[current]}>
          <Menu />
        </AsyncBoundary>
      </header>
      <main>
        <AsyncBoundary fallback={<Waiting />} errorComponent={Failed} resetKeys={[shown, current]}>
          <Page route={shown} />
        </AsyncBoundary>
      </main>
    </Provider>
  );
}

const NoMenu = () => <nav />;

function Menu() {
  const controller = useController();
  const user = useUser();
  if (user === undefined) {
    return (
      <nav aria-label="Menu">
        <a href={to.login}>Log in</a>
        <a href={to.register}>Register</a>
      </nav>
    );
  }
  return (
    <nav aria-label="Menu">
      <a href={to.new}>New article</a>
      <a href={to.settings}>Settings</a>
      <a href={to.profile(user.username)}>{user.username}</a>
      <button type="button" onClick={() => logOut(controller)}>
        Log out
      </button>
    </nav>
  );
}

function Page({ route }: { readonly route: Route }) {
  switch (route.name) {
    case 'home':
      return <Home route={route} />;
    case 'profile':
      return <ProfilePage route={route} />;
    case 'article':
      return <ArticlePage slug={route.slug} key={route.slug} />;
    case 'editor':
      return <Edit slug={route.slug} key={route.slug} />;
    case 'new':
      return <New />;
    case 'login':
      return <Login />;
    case 'register':
      return <Register />;
    default:
      return <Settings />;
  }
}
