/** @jsxImportSource react */
/** A board of issues: filters, three columns, all issues page by page, and the issue that is open. */
import { useEffect, useState, useTransition } from 'react';
import {
  AsyncBoundary,
  Provider,
  useController,
  useIsFetching,
  useSuspenseAll,
} from 'signalbox/react';
import type { FallbackProps } from 'signalbox/react';
import { createStore, ProjectResource, UserResource } from '../board/api.ts';
import type { Filter } from '../board/api.ts';
import { reasonOf, statuses, tags } from '../board/words.ts';
import { AllIssues } from './AllIssues.tsx';
import { Column } from './Column.tsx';
import { IssuePage } from './IssuePage.tsx';

const store = createStore();

export function App() {
  return (
    <Provider controller={store}>
      <AsyncBoundary fallback={<p className="waiting">Loading …</p>} errorComponent={Failed}>
        <Board />
      </AsyncBoundary>
      <Notice />
    </Provider>
  );
}

function Board() {
  const [filter, setFilter] = useState<Filter>({ projectId: 1 });
  const [opened, setOpened] = useState<number>();
  const [isPending, startTransition] = useTransition();
  const isFetching = useIsFetching() > 0;
  return (
    <main aria-busy={isPending || isFetching}>
      <Filters change={(next) => startTransition(() => setFilter(next))} />
      <div className="columns">
        {statuses.map((status) => (
          <Column key={status} status={status} filter={filter} open={setOpened} />
        ))}
      </div>
      <AllIssues open={setOpened} />
      {opened !== undefined && (
        <IssuePage key={opened} id={opened} close={() => setOpened(undefined)} />
      )}
    </main>
  );
}

function Filters({ change }: { readonly change: (filter: Filter) => void }) {
  const [projects, users] = useSuspenseAll([[ProjectResource.getList], [UserResource.getList]]);
  return (
    <form className="filters" onChange={(event) => change(filterOf(event.currentTarget))}>
      <select name="projectId" aria-label="Project">
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {users.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" name="assigneeId" value={id} /> {name}
        </label>
      ))}
      {tags.map((tag) => (
        <label key={tag}>
          <input type="checkbox" name="tags" value={tag} /> {tag}
        </label>
      ))}
    </form>
  );
}

function filterOf(form: HTMLFormElement): Filter {
  const fields = new FormData(form);
  const all = (name: string) => fields.getAll(name).map(String);
  return {
    projectId: Number(fields.get('projectId')),
    ...(fields.has('assigneeId') && { assigneeId: all('assigneeId').map(Number) }),
    ...(fields.has('tags') && { tags: all('tags') }),
  };
}

function Failed({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <p className="failed">
      {reasonOf(error)} <button onClick={resetErrorBoundary}>Try again</button>
    </p>
  );
}

/** Says why a change was undone. */
function Notice() {
  const controller = useController();
  const [reason, setReason] = useState('');
  useEffect(() => {
    const stops = [
      controller.on('error', ({ read, error }) => read || setReason(reasonOf(error))),
      controller.on('request', ({ read }) => read || setReason('')),
    ];
    return () => stops.forEach((stop) => stop());
  }, [controller]);
  return <p role="alert">{reason !== '' && `${reason} Your change was undone.`}</p>;
}
