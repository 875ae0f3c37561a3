/** @jsxImportSource solid-js */
/** Small parts of several pages. */
import { For, Show } from 'solid-js';
import type { JSX } from 'solid-js';
import { useController, useLoading } from 'signalbox/solid';
import type { FallbackProps } from 'signalbox/solid';
import { toggleFavorite, toggleFollow } from '../conduit/api.ts';
import type { Article, Profile } from '../conduit/api.ts';
import { to } from '../conduit/route.ts';
import { token } from '../conduit/session.ts';
import { dateOf, textsOf } from '../conduit/words.ts';
import { useSignal } from './hooks.ts';

export function Waiting() {
  return (
    <p class="waiting" role="status">
      Loading …
    </p>
  );
}

export function Failed(props: FallbackProps) {
  return (
    <div class="failed">
      <Problem error={props.error} />
      <button type="button" onClick={() => props.resetErrorBoundary()}>
        Try again
      </button>
    </div>
  );
}

/** Why something did not go as it should. */
export function Problem(props: { readonly error: Error | undefined }) {
  return (
    <Show when={props.error}>
      {(error) => (
        <ul class="problem" role="alert">
          <For each={textsOf(error())}>{(text) => <li>{text}</li>}</For>
        </ul>
      )}
    </Show>
  );
}

interface BylineProps {
  readonly author: Profile;
  readonly date: Date;
  readonly children?: JSX.Element;
}

/** Who wrote it, and when. */
export function Byline(props: BylineProps) {
  return (
    <div class="byline">
      <Portrait profile={props.author} />
      <a class="author" href={to.profile(props.author.username)}>
        {props.author.username}
      </a>
      <Show when={props.author.following}>
        <span class="following">following</span>
      </Show>
      <time dateTime={props.date.toISOString()}>{dateOf(props.date)}</time>
      {props.children}
    </div>
  );
}

export function Portrait(props: { readonly profile: Profile }) {
  return (
    <Show
      when={props.profile.image}
      fallback={
        <span class="portrait" aria-hidden="true">
          {props.profile.username.slice(0, 1)}
        </span>
      }
    >
      {(image) => <img class="portrait" src={image()} alt="" />}
    </Show>
  );
}

export function Tags(props: { readonly tags: readonly string[] }) {
  return (
    <ul class="tags">
      <For each={props.tags}>
        {(tag) => (
          <li>
            <a href={to.tag(tag)}>{tag}</a>
          </li>
        )}
      </For>
    </ul>
  );
}

export function Favorite(props: { readonly article: Article }) {
  const controller = useController();
  const current = useSignal(token);
  const [toggle, , error] = useLoading(() => toggleFavorite(controller, props.article));
  return (
    <span class="favorite">
      <button
        type="button"
        aria-label={`Favorite ${props.article.title}`}
        aria-pressed={props.article.favorited}
        disabled={current() === ''}
        onClick={() => void toggle()}
      >
        ♥ <output>{props.article.favoritesCount}</output>
      </button>
      <Problem error={error()} />
    </span>
  );
}

export function Follow(props: { readonly profile: Profile }) {
  const controller = useController();
  const current = useSignal(token);
  const [toggle, , error] = useLoading(() => toggleFollow(controller, props.profile));
  return (
    <span class="follow">
      <button
        type="button"
        aria-pressed={props.profile.following}
        disabled={current() === ''}
        onClick={() => void toggle()}
      >
        {props.profile.following ? 'Unfollow' : 'Follow'} {props.profile.username}
      </button>
      <Problem error={error()} />
    </span>
  );
}
