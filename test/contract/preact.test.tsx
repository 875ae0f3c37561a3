/** @jsxImportSource preact */
// The behaviour suite, run on Preact.
import { Component, Fragment, render } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { Suspense } from 'preact/compat';
import { act } from 'preact/test-utils';
import { Provider, useCache, useDLE, useLive, useSuspense } from 'signalbox/preact';
import { contract } from './suite.ts';
import type { Driver, Scene } from './suite.ts';
import { line } from './world.ts';
import type { ListParams, Todo, TodoParams, World } from './world.ts';

interface Props {
  readonly world: World;
  readonly params: Scene['params'];
}

function Row({ world, todo }: { world: World; todo: Todo }): VNode {
  world.count(`row ${todo.id}`);
  return <li>{line(todo)}</li>;
}

function List({ world, params }: Props): VNode {
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

function Detail({ world, params }: Props): VNode {
  const todo = useSuspense(world.getTodo, params as TodoParams | null);
  world.count('detail');
  return <p>{line(todo)}</p>;
}

function Dle({ world, params }: Props): VNode {
  const { data, loading, error } = useDLE(world.getTodo, params as TodoParams | null);
  world.count('dle');
  if (loading) return <p>wait</p>;
  return <p>{error ? `failed: ${error.message}` : line(data)}</p>;
}

function Live({ world, params }: Props): VNode {
  const todo = useLive(world.pollTodo, params as TodoParams | null);
  world.count('live');
  return <p>{line(todo)}</p>;
}

function Cache({ world, params }: Props): VNode {
  const todo = useCache(world.getTodo, params as TodoParams | null);
  world.count('cache');
  return <p>{line(todo)}</p>;
}

// data are live here: the plain list is the fine-grained form
const views = { list: List, fineList: List, detail: Detail, dle: Dle, cache: Cache, live: Live };

class Boundary extends Component<{ children?: ComponentChildren }, { error?: Error | undefined }> {
  override state: { error?: Error | undefined } = {};
  override componentDidCatch(error: Error): void {
    this.setState({ error });
  }
  override render(): VNode {
    const { error } = this.state;
    return error ? <b>{error.message}</b> : <Fragment>{this.props.children}</Fragment>;
  }
}

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const driver: Driver = {
  name: 'preact',
  async mount(world, scenes) {
    const element = document.body.appendChild(document.createElement('main'));
    let boundary: Boundary | null = null;
    const draw = (shown: readonly Scene[]): VNode => (
      <Provider controller={world.controller}>
        <Boundary ref={(it: Boundary | null) => void (boundary = it)}>
          <Suspense fallback={<i>loading</i>}>
            {shown.map(({ view, params }, at) => {
              const View = views[view];
              return <View key={`${at} ${view}`} world={world} params={params} />;
            })}
          </Suspense>
        </Boundary>
      </Provider>
    );
    const during = async (job?: () => unknown): Promise<void> => {
      await act(async () => {
        await job?.();
        await quiet();
      });
      // what was suspended mounts outside of the first
      await act(quiet);
    };
    await during(() => render(draw(scenes), element));
    return {
      root: element,
      act: during,
      show: (next) => during(() => render(draw(next), element)),
      retry: () => during(() => boundary?.setState({ error: undefined })),
      unmount: () => during(() => render(null, element)),
    };
  },
};

contract(driver);
