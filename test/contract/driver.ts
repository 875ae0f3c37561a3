// The driver that an adapter implements, so that the shared behaviour suite can run on the adapter.
import type { World } from './world.ts';

/**
 * A part of the page under test. A driver renders the scenes of a page one after another inside
 *
 *     <ErrorBoundary fallback={error => <b>{error.message}</b>}>  of the adapter
 *       <Suspense fallback={<i>loading</i>}> …scenes… </Suspense>
 *     </ErrorBoundary>
 *
 * and each scene is a component that calls the hook of the adapter, in the plainest idiom:
 *
 *     view       hook                      draws                                       counts
 *     ───────────────────────────────────────────────────────────────────────────────────────────
 *     list       useSuspense(getList)      <ul> of <li>{line(todo)}</li>, a component  'list', `row ${id}`
 *                                          per row (memo in React), keyed by id
 *     fineList   the fine-grained form:    the same                                    'list', `row ${id}`
 *                <For> in React and Preact
 *     envelope   <For> over getPages, and  <ul> of <li>{line(todo)}</li>              `row ${id}`
 *                over `later` of getHalves
 *     detail     useSuspense(getTodo)      <p>{line(todo)}</p>                         'detail'
 *     notes      useSuspense(getTodo)      <p>{notesLine(todo)}</p>                    'notes'
 *     withNotes  the same of todoWithNotes  <p>{notesLine(todo)}</p>                    'notes'
 *     noteRows   <For> over the notes      <ul> of <li>{noteLine(note)}</li>            'list', `row ${id}`
 *     joined     useQuery(joined)          <p>{joinedLine(row)}, joined by '; '</p>         'joined'
 *     several    useSuspenseAll of getTodo <p>{their lines, joined by '; '}</p>         'several'
 *                for each of ids
 *     severalStates  useDLEAll of the same <p>{each result, joined by '; '}</p>      'severalStates'
 *     dle        useDLE(getTodo)           <p>wait</p>, <p>failed: message</p>,        'dle'
 *                                          <p>{line(data)}</p>, with ', deleted' behind
 *                                          the line where that is the status
 *     cache      useCache(getTodo)         <p>{line(todo)}</p>                         'cache'
 *     live       useLive(pollTodo)         <p>{line(todo)}</p>                         'live'
 *     ticker     useSubscription(pollTodo)
 *                and useCache(getTodo)     <p>{line(todo)}</p>                         'ticker'
 *     early      useFetch(getTodo)
 *                and useCache(getTodo)     <p>{line(todo)}</p>                         'early'
 *     error      useError(getTodo)         <p>fine</p>, <p>failed: message</p>         'error'
 *     entity     useQuery(Todo)            <p>{line(todo)}</p>                         'entity'
 *     amount     useSelect(getList, n)     <p>{n}</p>, how many titles begin with t     'amount'
 *     chosen     useSelect(getList, todos) <p>{the lines of these todos}</p>            'chosen'
 *     derived    useQuery(picked)          <p>{n}</p>, in an AsyncBoundary as panel      'derived'
 *     editor     useSuspense(getTodo)      <p>{line(todo)}</p>, and a <button> that    'editor'
 *                                          edits the title to 'edited' (optimistic)
 *     saver      useLoading(update)        <p>idle</p>, <p>saving</p>, <p>failed:      'saver'
 *                                          message</p>, and a <button> that saves the
 *                                          title 'saved'
 *     status     useStatus(getTodo)        <p>idle, fresh, at 0, fine</p>: fetching; stale;   'status'
 *                                          s since the world began, or never; or the error
 *     requests   useIsFetching(getTodo)
 *                and useIsFetching()       <p>{n} of {m}</p>                            'requests'
 *     mutation   useMutation(update)       <p>idle</p>, <p>pending {id}</p>, <p>failed:  'mutation'
 *                                          message</p>, <p>{line(data)} by {id}</p>; and
 *                                          the buttons mutate, mutateAsync, reset,
 *                                          mutate with callbacks, and abort
 *     pages      useInfinite(getPages      <p>wait</p>, <p>failed: message</p> and/or   'pages'
 *                .getPage)                 <p>{titles}, {more}</p> (loading, more, or
 *                                          end); and the button fetchNextPage
 *     numbers    useInfinite(getNumbers    `numbersLine`, and the buttons fetchNextPage,     'numbers'
 *                .getPage), `numbered`     fetchPreviousPage and refetch
 *     kept       useDLE(getTodo), or of     as dle, with ', previous' behind former data     'kept'
 *                getList, which keep
 *                previous data
 *     typing     useDebounce(id, 200)      <p>{id}</p>, <p>{id} …</p> while pending    'typing'
 *     search     useCancelling(getTodo)
 *                in useSuspense            <p>{line(todo)}</p>                         'search'
 *     lookup     the same in useDLE        as dle                                       'lookup'
 *     shape      useCache(getPage)         <p>{JSON of the data}</p>                    'shape'
 *     misuse     the hook of number id     nothing: the hook throws
 *                with a mutation
 *     mistaken   useQuery(getTodo)         nothing: the hook throws
 *     routed     a router that listens     the page 1 or 2: an AsyncBoundary with listen,
 *                to world.history          around a detail of that id; {id: 2}: a single
 *                                          boundary around both pages
 *     retrier    AsyncBoundary with the    a detail of 1
 *                listen of
 *                world.events[userId]
 *     panel      AsyncBoundary around a    the fallback <i>panel</i>, the errorComponent
 *                detail, resetKeys=[id]    <b>message</b> and a <button> that resets
 *
 * `line(undefined)` is 'nothing'. Each part calls `world.count(name)` whenever the code of the part that reads data runs: in
 * the body of a component if the framework renders again, inside the expression of the text otherwise. So a
 * count is "how often this part ran", in every framework.
 */
export interface Scene {
  readonly view:
    | 'list'
    | 'newest'
    | 'fineList'
    | 'envelope'
    | 'detail'
    | 'notes'
    | 'noteRows'
    | 'withNotes'
    | 'joined'
    | 'several'
    | 'severalStates'
    | 'dle'
    | 'cache'
    | 'live'
    | 'ticker'
    | 'early'
    | 'error'
    | 'entity'
    | 'amount'
    | 'chosen'
    | 'derived'
    | 'editor'
    | 'saver'
    | 'status'
    | 'requests'
    | 'mutation'
    | 'pages'
    | 'numbers'
    | 'kept'
    | 'typing'
    | 'search'
    | 'lookup'
    | 'panel'
    | 'routed'
    | 'retrier'
    | 'shape'
    | 'misuse'
    | 'mistaken';
  /** The first argument of the endpoint; null: no request is sent. */
  readonly params: {
    readonly id?: number;
    readonly userId?: number;
    readonly ids?: readonly (number | null)[];
  } | null;
}

/** A mounted page. */
export interface Screen {
  /** The element in which the page is mounted. */
  readonly root: HTMLElement;
  /** Runs `job` as the framework requires (React: inside act), then waits until no work is pending. */
  act(job?: () => unknown): Promise<void>;
  /** Other scenes on the same page: a scene with the same place and view is kept, and gets the new params. */
  show(scenes: readonly Scene[]): Promise<void>;
  /** Presses the button of that number. */
  press(at?: number): Promise<void>;
  /** Resets the error boundary, as the button "try again" would. */
  retry(): Promise<void>;
  unmount(): Promise<void>;
}

export interface Driver {
  /** The name in titles: 'react 19'. */
  readonly name: string;
  /** Mounts a page into a new element of the document and waits until everything is quiet. */
  mount(world: World, scenes: readonly Scene[]): Promise<Screen>;
  /** Behaviours that the framework cannot have: title → reason. Each must still be seen to fail. */
  readonly gaps?: Readonly<Record<string, string>>;
}
