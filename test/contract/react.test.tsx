// The behaviour suite, run on React.
import { act, Component, memo, Suspense, version } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { For, Provider, useCache, useDLE, useLive, useSuspense } from 'signalbox/react';
import { contract } from './suite.ts';
import type { Driver, Scene } from './suite.ts';
import { line } from './world.ts';
import type { ListParams, Todo, TodoParams, World } from './world.ts';

Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);

interface Props {
  readonly world: World;
  readonly params: Scene['params'];
}

const Row = memo(function Row({ world, todo }: { world: World; todo: Todo }): ReactElement {
  world.count(`row ${todo.id}`);
  return <li>{line(todo)}</li>;
});

function List({ world, params }: Props): ReactElement {
  const todos = useSuspense(world.getList, params as ListParams);
  world.count('list');
  return (
    <ul>
      {todos.map((todo) => (
        <Row key={todo.id} world={world} todo={todo} />
      ))}
    </ul>
  );
}

function FineList({ world, params }: Props): ReactElement {
  world.count('list');
  return (
    <ul>
      <For each={world.getList} params={params}>
        {(todo) => {
          world.count(`row ${todo.id}`);
          return <li>{line(todo)}</li>;
        }}
      </For>
    </ul>
  );
}

function Detail({ world, params }: Props): ReactElement {
  const todo = useSuspense(world.getTodo, params as TodoParams | null);
  world.count('detail');
  return <p>{line(todo)}</p>;
}

function Dle({ world, params }: Props): ReactElement {
  const { data, loading, error } = useDLE(world.getTodo, params as TodoParams | null);
  world.count('dle');
  if (loading) return <p>wait</p>;
  return <p>{error ? `failed: ${error.message}` : line(data)}</p>;
}

function Live({ world, params }: Props): ReactElement {
  const todo = useLive(world.pollTodo, params as TodoParams | null);
  world.count('live');
  return <p>{line(todo)}</p>;
}

function Cache({ world, params }: Props): ReactElement {
  const todo = useCache(world.getTodo, params as TodoParams | null);
  world.count('cache');
  return <p>{line(todo)}</p>;
}

const views = {
  list: List,
  fineList: FineList,
  detail: Detail,
  dle: Dle,
  cache: Cache,
  live: Live,
};

class Boundary extends Component<{ children: ReactNode }, { error?: Error | undefined }> {
  override state: { error?: Error | undefined } = {};
  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }
  override render(): ReactNode {
    return this.state.error ? <b>{this.state.error.message}</b> : this.props.children;
  }
}

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const driver: Driver = {
  name: `react ${version}`,
  async mount(world, scenes) {
    const element = document.body.appendChild(document.createElement('main'));
    // what a boundary caught is not news
    const root = createRoot(element, { onCaughtError: () => {} });
    let boundary: Boundary | null = null;
    const draw = (shown: readonly Scene[]): ReactElement => (
      <Provider controller={world.controller}>
        <Boundary ref={(it) => void (boundary = it)}>
          <Suspense fallback={<i>loading</i>}>
            {shown.map(({ view, params }, at) => {
              const View = views[view];
              return <View key={`${at} ${view}`} world={world} params={params} />;
            })}
          </Suspense>
        </Boundary>
      </Provider>
    );
    const during = (job?: () => unknown): Promise<void> =>
      act(async () => {
        await job?.();
        await quiet();
        await quiet();
      });
    await during(() => root.render(draw(scenes)));
    return {
      root: element,
      act: during,
      show: (next) => during(() => root.render(draw(next))),
      retry: () => during(() => boundary?.setState({ error: undefined })),
      unmount: () => during(() => root.unmount()),
    };
  },
};

contract(driver);
