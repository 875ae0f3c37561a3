/** A server component that fetches, and a client component that reads the same data without a request. */
import { Controller } from 'signalbox';
import { dehydrate } from 'signalbox/ssr';
import { Hydrate } from '../../Hydrate';
import { TodoResource } from '../../resources';
import { TodoDetail } from './TodoDetail';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const controller = new Controller();
  const todo = await controller.fetch(TodoResource.get, { id });
  return (
    <Hydrate state={dehydrate(controller)}>
      <h1>{todo.title}</h1>
      <TodoDetail id={id} />
    </Hydrate>
  );
}
