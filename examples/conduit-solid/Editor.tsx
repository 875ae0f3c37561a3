/** @jsxImportSource solid-js */
/** Writes an article, or changes one. */
import { useController, useLoading, useSuspense } from 'signalbox/solid';
import { ArticleResource } from '../conduit/api.ts';
import type { Article, Draft } from '../conduit/api.ts';
import { go, to } from '../conduit/route.ts';
import { draftOf } from '../conduit/words.ts';
import { Problem } from './parts.tsx';

export function New() {
  const controller = useController();
  return <Editor save={(draft) => controller.fetch(ArticleResource.create, draft)} />;
}

export function Edit(props: { readonly slug: string }) {
  const controller = useController();
  const article = useSuspense(ArticleResource.get, () => ({ slug: props.slug }));
  const save = (draft: Draft) =>
    controller.fetch(ArticleResource.update, { slug: props.slug }, draft);
  return <Editor article={article()} save={save} />;
}

interface EditorProps {
  readonly article?: Article;
  readonly save: (draft: Draft) => Promise<Article>;
}

function Editor(props: EditorProps) {
  const [publish, publishing, error] = useLoading(async (draft: Draft) => {
    const { slug } = await props.save(draft);
    go(to.article(slug));
  });
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    void publish(draftOf(event.currentTarget));
  };
  return (
    <form class="page" aria-label="Article" onSubmit={submit}>
      <h1>{props.article === undefined ? 'New article' : 'Edit article'}</h1>
      <Problem error={error()} />
      <label>
        Title
        <input name="title" value={props.article?.title ?? ''} />
      </label>
      <label>
        Description
        <input name="description" value={props.article?.description ?? ''} />
      </label>
      <label>
        Text
        <textarea name="body" rows={8} value={props.article?.body ?? ''} />
      </label>
      <label>
        Tags
        <input name="tags" value={props.article?.tagList.join(', ') ?? ''} />
      </label>
      <button type="submit" disabled={publishing()}>
        Publish
      </button>
    </form>
  );
}
