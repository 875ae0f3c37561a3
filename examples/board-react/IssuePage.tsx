/** @jsxImportSource react */
/** One issue with its comments. Each field is saved when it is changed. */
import type { FormEvent } from 'react';
import { useController, useDLE, useSuspense } from 'signalbox/react';
import { CommentResource, getIssue, IssueResource, UserResource } from '../board/api.ts';
import type { Comment, Issue } from '../board/api.ts';
import { quietly, tags, takeText } from '../board/words.ts';

interface IssuePageProps {
  readonly id: number;
  readonly close: () => void;
}

export function IssuePage({ id, close }: IssuePageProps) {
  const { data: issue, loading, deleted } = useDLE(getIssue, { id });
  const isThere = issue !== undefined && !deleted;
  return (
    <aside aria-label="Issue" data-id={issue?.id ?? id}>
      <button className="close" onClick={close}>
        Close
      </button>
      {isThere && <Fields issue={issue} />}
      {isThere && <Comments issue={issue} />}
      {!isThere && <p>{loading ? 'Loading …' : 'This issue does not exist.'}</p>}
    </aside>
  );
}

function Fields({ issue }: { readonly issue: Issue }) {
  const { id, title, assigneeId } = issue;
  const controller = useController();
  const users = useSuspense(UserResource.getList);
  const save = (change: Partial<Issue>) =>
    quietly(controller.fetch(IssueResource.partialUpdate, { id }, change));
  const rename = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save({ title: takeText(event.currentTarget) });
  };
  const toggle = (tag: string) =>
    issue.tags.includes(tag) ? issue.tags.filter((other) => other !== tag) : [...issue.tags, tag];
  return (
    <>
      <h2>{title}</h2>
      <form onSubmit={rename}>
        <input name="text" aria-label="Title" key={title} defaultValue={title} required />
      </form>
      <select
        aria-label="Assignee"
        value={assigneeId ?? ''}
        onChange={({ target }) => save({ assigneeId: Number(target.value) || null })}
      >
        <option value="">nobody</option>
        {users.map((user) => (
          <option key={user.id} value={user.id}>
            {user.name}
          </option>
        ))}
      </select>
      {tags.map((tag) => (
        <label key={tag}>
          <input
            type="checkbox"
            name={tag}
            checked={issue.tags.includes(tag)}
            onChange={() => save({ tags: toggle(tag) })}
          />{' '}
          {tag}
        </label>
      ))}
      <button
        className="delete"
        onClick={() => quietly(controller.fetch(IssueResource.delete, { id }))}
      >
        Delete
      </button>
    </>
  );
}

function Comments({ issue }: { readonly issue: Issue }) {
  const controller = useController();
  const write = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = takeText(event.currentTarget);
    quietly(controller.fetch(CommentResource.create, { issueId: issue.id, authorId: 1, text }));
  };
  const remove = ({ id }: Comment) => quietly(controller.fetch(CommentResource.delete, { id }));
  return (
    <>
      <ul className="comments">
        {issue.comments.map((comment) => (
          <li key={comment.id} data-id={comment.id}>
            <b>{comment.author?.name}</b> <span className="text">{comment.text}</span>
            <button className="delete" onClick={() => remove(comment)}>
              Delete
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={write}>
        <input name="text" aria-label="Your comment" placeholder="Comment" required />
      </form>
    </>
  );
}
