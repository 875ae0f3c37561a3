/** @jsxImportSource react */
/** Writes an article, or changes one. */
import type { FormEvent } from 'react';
import { useController, useLoading, useSuspense } from 'signalbox/react';
import { ArticleResource } from '../conduit/api.ts';
import type { Article, Draft } from '../conduit/api.ts';
import { go, to } from '../conduit/route.ts';
import { draftOf } from '../conduit/words.ts';
import { Problem } from './parts.tsx';

export function New() {
  const controller = useController();
  return <Editor save={(draft) => controller.fetch(ArticleResource.create, draft)} />;
}

export function Edit({ slug }: { readonly slug: string }) {
  const controller = useController();
  const article = useSuspense(ArticleResource.get, { slug });
  return (
    <Editor
      article={article}
      save={(draft) => controller.fetch(ArticleResource.update, { slug }, draft)}
    />
  );
}

interface EditorProps {
  readonly article?: Article;
  readonly save: (draft: Draft) => Promise<Article>;
}

function Editor({ article, save }: EditorProps) {
  const [publish, publishing, error] = useLoading(async (draft: Draft) => {
    const { slug } = await save(draft);
    go(to.article(slug));
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void publish(draftOf(event.currentTarget));
  };
  return (
    <form className="page" aria-label="Article" onSubmit={submit}>
      <h1>{article === undefined ? 'New article' : 'Edit article'}</h1>
      <Problem error={error} />
      <label>
        Title
        <input name="title" defaultValue={article?.title} />
      </label>
      <label>
        Description
        <input name="description" defaultValue={article?.description} />
      </label>
      <label>
        Text
        <textarea name="body" rows={8} defaultValue={article?.body} />
      </label>
      <label>
        Tags
        <input name="tags" defaultValue={article?.tagList.join(', ')} />
      </label>
      <button type="submit" disabled={publishing}>
        Publish
      </button>
    </form>
  );
}
