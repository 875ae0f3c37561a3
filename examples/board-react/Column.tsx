/** @jsxImportSource react */
/** The cards of one status. A card that is dropped here gets the status, and a rank between its neighbours. */
import type { DragEvent, FormEvent } from 'react';
import { useController, useQuery, useSuspense } from 'signalbox/react';
import { byRank, IssueResource } from '../board/api.ts';
import type { Filter, Issue } from '../board/api.ts';
import { quietly, rankBefore, takeText } from '../board/words.ts';
import type { Status } from '../board/words.ts';

interface ColumnProps {
  readonly status: Status;
  readonly filter: Filter;
  readonly open: (id: number) => void;
}

export function Column({ status, filter, open }: ColumnProps) {
  const controller = useController();
  const search = { ...filter, status };
  useSuspense(IssueResource.getList, search);
  const issues = useQuery(byRank, search) ?? [];

  const drop = (event: DragEvent, at: number) => {
    event.preventDefault();
    event.stopPropagation();
    const id = Number(event.dataTransfer.getData('text/plain'));
    const change = { status, rank: rankBefore(issues, at) };
    quietly(controller.fetch(IssueResource.partialUpdate, { id }, change));
  };
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { projectId, assigneeId: [assigneeId = null] = [], tags = [] } = filter;
    const title = takeText(event.currentTarget);
    const rank = rankBefore(issues, issues.length);
    const issue = { projectId, status, rank, title, assigneeId, tags };
    quietly(controller.fetch(IssueResource.create, issue));
  };
  return (
    <section
      className="column"
      aria-label={status}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => drop(event, issues.length)}
    >
      <h2>
        {status} <small>{issues.length}</small>
      </h2>
      <ul>
        {issues.map((issue, at) => (
          <Card key={issue.id} issue={issue} open={open} drop={(event) => drop(event, at)} />
        ))}
      </ul>
      <form onSubmit={create}>
        <input name="text" aria-label={`New in ${status}`} placeholder="New issue" required />
      </form>
    </section>
  );
}

interface CardProps {
  readonly issue: Issue;
  readonly open: (id: number) => void;
  readonly drop: (event: DragEvent) => void;
}

function Card({ issue, open, drop }: CardProps) {
  return (
    <li
      className="card"
      data-id={issue.id}
      draggable
      onDragStart={(event) => event.dataTransfer.setData('text/plain', String(issue.id))}
      onDrop={drop}
    >
      <button className="title" onClick={() => open(issue.id)}>
        {issue.title}
      </button>
      <span className="assignee">{issue.assignee?.name}</span>
      {issue.tags.map((tag) => (
        <span className="tag" key={tag}>
          {tag}
        </span>
      ))}
    </li>
  );
}
