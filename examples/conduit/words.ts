/** What the apps say: errors of the server, dates, counts. */
import { NetworkError } from 'signalbox';
import type { Draft } from './api.ts';

/** The server's own texts, `{errors: {title: ["can't be blank"]}}`, or why there are none. */
export function textsOf(error: unknown): readonly string[] {
  if (!(error instanceof NetworkError)) return ['Something went wrong.'];
  if (error.response === undefined) return ['The server does not answer.'];
  const { errors } = (error.body ?? {}) as { readonly errors?: Record<string, readonly string[]> };
  const texts = Object.entries(errors ?? {}).flatMap(([field, all]) =>
    all.map((text) => `${field} ${text}`),
  );
  return texts.length > 0 ? texts : [`The server could not do this (${error.status}).`];
}

export function dateOf(date: Date): string {
  return date.toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric' });
}

export function countOf(count: number): string {
  return count === 1 ? '1 article' : `${count} articles`;
}

/** `signals, react` as tags. */
function tagsOf(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((tag) => tag !== ''))];
}

/** What stands in the fields of a form. */
export function fieldsOf(form: HTMLFormElement): Readonly<Record<string, string>> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** What the editor's fields say. */
export function draftOf(form: HTMLFormElement): Draft {
  const { title = '', description = '', body = '', tags = '' } = fieldsOf(form);
  return { title, description, body, tagList: tagsOf(tags) };
}
