import { runRule } from './ruleTester.ts';

const world = `
import { Controller, createResource, Endpoint, Entity, EntityMixin, GQLEndpoint, Query, RestEndpoint } from 'signalbox';
import { For, useController, useDLE, useSuspense, useSuspenseAll, useQuery } from 'signalbox/react';
class User extends Entity { id = 0; name = ''; }
class Todo extends Entity {
  id = 0; title = ''; tags: string[] = []; author = new User();
  static override schema = { author: User };
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
declare function useRef<T>(value: T): { current: T };
declare function useState<T>(value: T | (() => T)): [T, (next: T) => void];
declare function memo<T>(component: T): T;
`;
const withWorld = (cases: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(cases).map(([name, code]) => [name, world + code]));

runRule({
  rule: 'no-mutation-in-read-hook',
  proves: '[H10] no-mutation-in-read-hook',
  valid: withWorld({
    'endpoints that read': `
      function App() {
        const todos = useSuspense(TodoResource.getList);
        const { data } = useDLE(TodoResource.get, { id: 1 });
        return <For each={TodoResource.getList}>{(todo) => <li>{todo.title}</li>}</For>;
      }`,
    'a mutation that a handler sends': `
      function App() {
        const controller = useController();
        return <b onClick={() => controller.fetch(TodoResource.delete, { id: 1 })} />;
      }`,
    'a hook of the same name from elsewhere': `
      declare const other: { useSuspense(endpoint: unknown): void };
      function useOther() { other.useSuspense(TodoResource.create); }`,
    'a search by POST with sideEffect: false': `
      const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false, body: {} });
      function useFound() { return useDLE(search as never); }`,
    'an extended read': `
      const reading = TodoResource.get.extend({ dataExpiryLength: 1 });
      function useIt() { return useSuspense(reading, { id: 1 }); }`,
  }),
  invalid: withWorld({
    'a member of a resource': `
      function App() { useSuspense(«TodoResource.update» as never); }`,
    'a list`s own mutation': `
      function App() { useDLE(«TodoResource.getList.push» as never); }`,
    'an alias of the hook and of the endpoint': `
      import { useSuspense as read } from 'signalbox/react';
      const remove = TodoResource.delete;
      function App() { read(«remove» as never); }`,
    'an endpoint by its method': `
      const save = new RestEndpoint({ path: '/save', method: 'POST' });
      function App() { useSuspense(«save» as never); }`,
    'an endpoint by its side effect': `
      const save = new Endpoint(async () => 1, { sideEffect: true });
      function App() { useSuspense(«save» as never); }`,
    'an extension that mutates': `
      const save = TodoResource.get.extend({ method: 'PUT' });
      function App() { useSuspense(«save» as never); }`,
    'an extension of a mutation': `
      function App() { useSuspense(«TodoResource.create.extend({ retry: 1 })» as never); }`,
    'an operation of GraphQL': `
      const graphql = new GQLEndpoint('/graphql');
      const rename = graphql.mutation('mutation { x }');
      function App() { useSuspense(«rename» as never); }`,
    'one of several reads': `
      function App() { useSuspenseAll([[TodoResource.getList], [«TodoResource.create» as never]]); }`,
    'a list of rows': `
      function App() { return <For each={«TodoResource.create» as never}>{() => null}</For>; }`,
    'a namespace': `
      import * as box from 'signalbox/react';
      function App() { box.useSuspense(«TodoResource.create» as never); }`,
  }),
  invalidWithTypes: withWorld({
    'an endpoint of another module, by its type': `
      declare const api: { readonly save: { (): Promise<number>; readonly sideEffect: true } };
      function App() { useSuspense(«api.save» as never); }`,
  }),
});

runRule({
  rule: 'no-controller-in-component',
  proves: '[H10] no-controller-in-component',
  valid: withWorld({
    'a controller of the module': `const controller = new Controller();`,
    'an initializer of state': `
      function App() { const [controller] = useState(() => new Controller()); return <b />; }`,
    'a ref that keeps the controller': `
      function App() {
        const kept = useRef<Controller | null>(null);
        if (kept.current === null) kept.current = new Controller();
        kept.current ??= new Controller();
        return <b />;
      }`,
    'a handler': `
      function App() { return <b onClick={() => void new Controller()} />; }`,
    'a component of a server, which awaits': `
      async function Page() { const controller = new Controller(); return <b />; }`,
    'a function that is no component': `
      function createWorld() { return new Controller(); }
      class Api { controller = new Controller(); }`,
    'a controller of another library': `
      import { Controller as Other } from './other';
      function App() { const other = new Other(); return <b />; }`,
    'Solid, whose components run once': `
      import { createSignal } from 'solid-js';
      function App() { const controller = new Controller(); return <b />; }`,
  }),
  invalid: withWorld({
    'a component': `
      function App() { const controller = «new Controller()»; return <b />; }`,
    'a hook': `
      const useWorld = () => «new Controller()»;`,
    'a component in memo': `
      const App = memo(() => { const controller = «new Controller()»; return <b />; });`,
    'an argument of state, made at each render': `
      function App() { const [controller] = useState(«new Controller()»); return <b />; }`,
    'a render method': `
      class App extends React.Component { render() { return <b x={«new Controller()»} />; } }`,
    'an alias': `
      import { Controller as Box } from 'signalbox';
      function App() { return <b x={«new Box()»} />; }`,
  }),
});

runRule({
  rule: 'no-resource-in-component',
  proves: '[H10] no-resource-in-component',
  valid: withWorld({
    'definitions of the module': `
      const done = new Query([Todo], (todos) => todos);
      const api = { save: new RestEndpoint({ path: '/save' }) };`,
    'a function that creates definitions': `
      function makeResources(prefix: string) {
        return createResource({ path: '/todos/:id', urlPrefix: prefix, schema: Todo });
      }`,
    'a memo': `
      function App() { const [query] = useState(() => new Query([Todo], (all) => all)); return <b />; }`,
    'a class that is no entity': `
      function App() { class Local {} return <b />; }`,
    'an extension': `
      function App() { return <b x={useSuspense(TodoResource.get.extend({ retry: 1 }), { id: 1 })} />; }`,
  }),
  invalid: withWorld({
    'a resource': `
      function App() { const api = «createResource({ path: '/x/:id', schema: Todo })»; return <b />; }`,
    'an endpoint': `
      function useApi() { return useSuspense(«new RestEndpoint({ path: '/x' })»); }`,
    'a schema for a hook': `
      function App() { return <b x={useQuery(«new Query([Todo], (all) => all)»)} />; }`,
    'an entity class': `
      function App() { «class Local extends Entity { id = 0 }» return <b />; }`,
    'a class below one of the module': `
      function App() { const Local = «class extends Todo {}»; return <b />; }`,
    'a mixin': `
      function App() { class Local extends «EntityMixin(class { id = 0 })» {} return <b />; }`,
  }),
});

runRule({
  rule: 'no-entity-mutation',
  proves: '[H10] no-entity-mutation',
  valid: withWorld({
    'objects of the application': `
      const own = { title: '' };
      own.title = 'x';
      const list = [1, 2];
      list.sort();`,
    'a copy': `
      function App() {
        const todos = useSuspense(TodoResource.getList);
        const sorted = [...todos].sort((a, b) => a.id - b.id);
        const open = todos.filter((todo) => todo.title !== '');
        open.reverse();
        const [first, ...others] = todos;
        others.push(first!);
        const draft = { ...first! };
        draft.title = 'x';
        return <b x={sorted} />;
      }`,
    'state beside data': `
      function App() {
        const todo = useSuspense(TodoResource.get, { id: 1 });
        const kept = useRef('');
        kept.current = todo.title;
        return <b />;
      }`,
    'a variable with another value later': `
      function App() {
        let todo: { title: string } = useSuspense(TodoResource.get, { id: 1 });
        todo = { title: todo.title };
        todo.title = 'x';
        return <b />;
      }`,
    'an instance created in the module': `
      const todo = new Todo();
      todo.title = 'x';
      const other = Todo.fromJS({ id: 1 });`,
    'a setter and a method of an entity': `
      class Named extends Entity { id = 0; name = ''; constructor() { super(); this.name = 'x'; } }`,
  }),
  invalid: withWorld({
    'a field': `
      function App() {
        const todo = useSuspense(TodoResource.get, { id: 1 });
        «todo.title = 'x'»;
        return <b />;
      }`,
    'a field of a nested entity': `
      function App() {
        const { author } = useSuspense(TodoResource.get, { id: 1 });
        «author.name += 'x'»;
        return <b />;
      }`,
    'a row passed to a callback': `
      function App() {
        const todos = useSuspense(TodoResource.getList);
        todos.forEach((todo) => { «todo.id++»; });
        return <b />;
      }`,
    'a row of a loop': `
      function App() {
        for (const todo of useSuspense(TodoResource.getList)) «delete (todo as Partial<Todo>).title»;
        return <b />;
      }`,
    'a row that was found': `
      function App() {
        const { data } = useDLE(TodoResource.getList);
        const first = data?.find(({ id }) => id === 1);
        if (first) «first.title = 'x'»;
        return <b />;
      }`,
    'a list': `
      function App() {
        const todos = useSuspense(TodoResource.getList);
        «(todos as Todo[]).sort()»;
        return <b />;
      }`,
    'a list in an entity': `
      function App() {
        const todo = useSuspense(TodoResource.get, { id: 1 });
        «todo.tags.push('x')»;
        return <b />;
      }`,
    'a row of a copy': `
      function App() {
        const copy = [...useSuspense(TodoResource.getList)];
        «copy[0]!.title = 'x'»;
        return <b />;
      }`,
    'Object.assign': `
      function App() {
        const todo = useQuery(Todo, { id: 1 });
        «Object.assign(todo!, { title: 'x' })»;
        return <b />;
      }`,
    'data of a request': `
      const controller = new Controller();
      export async function rename() {
        const todo = await controller.fetch(TodoResource.get, { id: 1 });
        «todo.title = 'x'»;
      }`,
    'a parameter of an entity`s type': `
      export function rename(todo: Todo) { «todo.title = 'x'»; }`,
    'a row of <For>': `
      const list = <For each={TodoResource.getList}>{(todo) => { «todo.title = 'x'»; return null; }}</For>;`,
  }),
  invalidWithTypes: withWorld({
    'data returned by a function': `
      declare function firstTodo(): Todo;
      «firstTodo().title = 'x'»;`,
    'a property of an entity`s type': `
      export function Row(props: { todo: Todo }) { «props.todo.title = 'x'»; }`,
  }),
});

runRule({
  rule: 'defined-pk',
  proves: '[N3] defined-pk',
  valid: withWorld({
    'a field with a default': `class A extends Entity { slug = ''; override pk() { return this.slug; } }`,
    'two fields': `class A extends Entity { a = 0; b = 0; override pk() { return \`\${this.a},\${this.b}\`; } }`,
    'a field with a fallback': `
      class A extends Entity { slug?: string; id = 0; override pk() { return this.slug ?? this.id; } }`,
    'a class that is no entity': `class A { slug?: string; pk() { return this.slug; } }`,
    'an inner function': `
      class A extends Entity { ids: number[] = []; override pk() { return this.ids.map((id) => { return id; }).join(); } }`,
  }),
  invalid: withWorld({
    'an optional field': `
      class A extends Entity { slug?: string; override pk() { return «this.slug»; } }`,
    'a field that may be null': `
      class A extends Entity { slug: string | null = null; override pk() { return «this.slug»; } }`,
    'a field that begins as undefined': `
      class A extends Entity { slug = undefined as string | undefined; key = undefined; override pk() { return «this.key»; } }`,
    'text with an optional field': `
      class A extends Entity { a = 0; b?: string; override pk() { return «\`\${this.a},\${this.b}\`»; } }`,
    'undefined in a condition': `
      class A extends Entity { a = 0; override pk() { return «this.a > 0 ? this.a : undefined»; } }`,
    'a nested member that may be missing': `
      class A extends Entity { user: User | null = null; override pk() { return «this.user?.id»; } }`,
    'no return': `
      class A extends Entity { «override pk() { }» }`,
    'an empty return': `
      class A extends Entity { a = 0; override pk() { if (this.a === 0) «return;» return this.a; } }`,
    'a class below one of the module': `
      class A extends Todo { slug?: string; override pk() { return «this.slug»; } }`,
    'a mixin': `
      class A extends EntityMixin(class { slug?: string }) { key?: string; override pk() { return «this.key»; } }`,
  }),
  invalidWithTypes: withWorld({
    'a lookup': `
      const names = new Map<number, string>();
      class A extends Entity { a = 0; «override pk() { return names.get(this.a); }» }`,
    'an inherited field': `
      class Base extends Entity { slug?: string; }
      class A extends Base { «override pk() { return this.slug; }» }`,
  }),
});
