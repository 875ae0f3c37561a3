/** @jsxImportSource react */
/** Small parts of several pages. */
import type { ReactNode } from 'react';
import { useController, useLoading } from 'signalbox/react';
import type { FallbackProps } from 'signalbox/react';
import { toggleFavorite, toggleFollow } from '../conduit/api.ts';
import type { Article, Profile } from '../conduit/api.ts';
import { to } from '../conduit/route.ts';
import { token } from '../conduit/session.ts';
import { dateOf, textsOf } from '../conduit/words.ts';
import { useSignal } from './hooks.ts';

export function Waiting() {
  return (
    <p className="waiting" role="status">
      Loading …
    </p>
  );
}

export function Failed({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <div className="failed">
      <Problem error={error} />
      <button type="button" onClick={resetErrorBoundary}>
        Try again
      </button>
    </div>
  );
}

/** Why something did not go as it should. */
export function Problem({ error }: { readonly error: Error | undefined }) {
  if (error === undefined) return null;
  return (
    <ul className="problem" role="alert">
      {textsOf(error).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

/** Who wrote it, and when. */
export function Byline({
  author,
  date,
  children,
}: {
  readonly author: Profile;
  readonly date: Date;
  readonly children?: ReactNode;
}) {
  return (
    <div className="byline">
      <Portrait profile={author} />
      <a className="author" href={to.profile(author.username)}>
        {author.username}
      </a>
      {author.following && <span className="following">following</span>}
      <time dateTime={date.toISOString()}>{dateOf(date)}</time>
      {children}
    </div>
  );
}

export function Portrait({ profile }: { readonly profile: Profile }) {
  return profile.image ? (
    <img className="portrait" src={profile.image} alt="" />
  ) : (
    <span className="portrait" aria-hidden="true">
      {profile.username.slice(0, 1)}
    </span>
  );
}

export function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <ul className="tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a href={to.tag(tag)}>{tag}</a>
        </li>
      ))}
    </ul>
  );
}

export function Favorite({ article }: { readonly article: Article }) {
  const controller = useController();
  const isLoggedIn = useSignal(token) !== '';
  const [toggle, , error] = useLoading(() => toggleFavorite(controller, article));
  return (
    <span className="favorite">
      <button
        type="button"
        aria-label={`Favorite ${article.title}`}
        aria-pressed={article.favorited}
        disabled={!isLoggedIn}
        onClick={() => void toggle()}
      >
        ♥ <output>{article.favoritesCount}</output>
      </button>
      <Problem error={error} />
    </span>
  );
}

export function Follow({ profile }: { readonly profile: Profile }) {
  const controller = useController();
  const isLoggedIn = useSignal(token) !== '';
  const [toggle, , error] = useLoading(() => toggleFollow(controller, profile));
  return (
    <span className="follow">
      <button
        type="button"
        aria-pressed={profile.following}
        disabled={!isLoggedIn}
        onClick={() => void toggle()}
      >
        {profile.following ? 'Unfollow' : 'Follow'} {profile.username}
      </button>
      <Problem error={error} />
    </span>
  );
}
