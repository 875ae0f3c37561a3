/** @jsxImportSource react */
/** The comments on one article, and the form for another. */
import type { FormEvent } from 'react';
import { useController, useLoading, useSuspense } from 'signalbox/react';
import { CommentResource } from '../conduit/api.ts';
import type { Comment } from '../conduit/api.ts';
import { to } from '../conduit/route.ts';
import { fieldsOf } from '../conduit/words.ts';
import { useUser } from './hooks.ts';
import { Byline, Problem } from './parts.tsx';

interface CommentsProps {
  readonly slug: string;
}

export function Comments({ slug }: CommentsProps) {
  const { comments } = useSuspense(CommentResource.getList, { slug });
  const user = useUser();
  return (
    <section className="comments" aria-label="Comments">
      <h2>Comments</h2>
      {comments.map((comment) => (
        <div className="comment" key={comment.id} data-id={comment.id}>
          <p>{comment.body}</p>
          <Byline author={comment.author} date={comment.createdAt}>
            {user?.username === comment.author.username && <Remove slug={slug} comment={comment} />}
          </Byline>
        </div>
      ))}
      {user === undefined ? (
        <p>
          <a href={to.login}>Log in</a> to write a comment.
        </p>
      ) : (
        <Write slug={slug} />
      )}
    </section>
  );
}

function Write({ slug }: CommentsProps) {
  const controller = useController();
  const [send, sending, error] = useLoading(async (form: HTMLFormElement) => {
    const { body = '' } = fieldsOf(form);
    await controller.fetch(CommentResource.create, { slug }, { body });
    form.reset();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void send(event.currentTarget);
  };
  return (
    <form aria-label="New comment" onSubmit={submit}>
      <Problem error={error} />
      <textarea name="body" aria-label="Your comment" rows={3} />
      <button type="submit" disabled={sending}>
        Post comment
      </button>
    </form>
  );
}

function Remove({ slug, comment }: CommentsProps & { readonly comment: Comment }) {
  const controller = useController();
  const [remove, removing, error] = useLoading(() =>
    controller.fetch(CommentResource.delete, { slug, id: comment.id }),
  );
  return (
    <span className="tools">
      <button type="button" disabled={removing} onClick={() => void remove()}>
        Delete comment
      </button>
      <Problem error={error} />
    </span>
  );
}
