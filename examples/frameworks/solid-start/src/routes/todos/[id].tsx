import { useParams } from '@solidjs/router';
import { useSuspense } from 'signalbox/solid';
import { TodoResource } from '../../resources';

export default function Todo() {
  const params = useParams<{ id: string }>();
  const todo = useSuspense(TodoResource.get, () => ({ id: params.id }));
  return (
    <main id="todo">
      <h1>{todo()?.title}</h1>
      <p>{todo()?.notes}</p>
    </main>
  );
}
