/** @jsxImportSource react */
/** The issues of all projects, newest first, page by page. */
import { useInfinite } from 'signalbox/react';
import { IssueResource } from '../board/api.ts';

const limit = 10;

export function AllIssues({ open }: { readonly open: (id: number) => void }) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfinite(
    IssueResource.getList.getPage,
    { sort: '-id', limit },
    {
      getNextPageParams: (lastPage, allPages) =>
        lastPage.length < limit ? undefined : { page: allPages.length + 1 },
    },
  );
  return (
    <section className="all" aria-label="All issues">
      <h2>All issues</h2>
      <ol>
        {data?.map((issue) => (
          <li key={issue.id} data-id={issue.id}>
            <button className="title" onClick={() => open(issue.id)}>
              {issue.title}
            </button>
            <span className="status">{issue.status}</span>
            <span className="project">{issue.project?.name}</span>
            <span className="assignee">{issue.assignee?.name}</span>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <button className="more" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          More
        </button>
      )}
    </section>
  );
}
