/** @jsxImportSource solid-js */
/** The comments on one article, and the form for another. */
import { For, Show } from 'solid-js';
import { useController, useLoading, useSuspense } from 'signalbox/solid';
import { CommentResource } from '../conduit/api.ts';
import type { Comment } from '../conduit/api.ts';
import { to } from '../conduit/route.ts';
import { fieldsOf } from '../conduit/words.ts';
import { useUser } from './hooks.ts';
import { Byline, Problem } from './parts.tsx';

interface CommentsProps {
  readonly slug: string;
}

export function Comments(props: CommentsProps) {
  const found = useSuspense(CommentResource.getList, () => ({ slug: props.slug }));
  const user = useUser();
  return (
    <section class="comments" aria-label="Comments">
      <h2>Comments</h2>
      <For each={found().comments}>
        {(comment) => (
          <div class="comment" data-id={comment.id}>
            <p>{comment.body}</p>
            <Byline author={comment.author} date={comment.createdAt}>
              <Show when={user()?.username === comment.author.username}>
                <Remove slug={props.slug} comment={comment} />
              </Show>
            </Byline>
          </div>
        )}
      </For>
      <Show
        when={user()}
        fallback={
          <p>
            <a href={to.login}>Log in</a> to write a comment.
          </p>
        }
      >
        <Write slug={props.slug} />
      </Show>
    </section>
  );
}

function Write(props: CommentsProps) {
  const controller = useController();
  const [send, sending, error] = useLoading(async (form: HTMLFormElement) => {
    const { body = '' } = fieldsOf(form);
    await controller.fetch(CommentResource.create, { slug: props.slug }, { body });
    form.reset();
  });
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    void send(event.currentTarget);
  };
  return (
    <form aria-label="New comment" onSubmit={submit}>
      <Problem error={error()} />
      <textarea name="body" aria-label="Your comment" rows={3} />
      <button type="submit" disabled={sending()}>
        Post comment
      </button>
    </form>
  );
}

function Remove(props: CommentsProps & { readonly comment: Comment }) {
  const controller = useController();
  const [remove, removing, error] = useLoading(() =>
    controller.fetch(CommentResource.delete, { slug: props.slug, id: props.comment.id }),
  );
  return (
    <span class="tools">
      <button type="button" disabled={removing()} onClick={() => void remove()}>
        Delete comment
      </button>
      <Problem error={error()} />
    </span>
  );
}
