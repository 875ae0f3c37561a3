import { Suspense } from 'react';
import { useParams, type ClientLoaderFunctionArgs, type LoaderFunctionArgs } from 'react-router';
import { useSuspense } from 'signalbox/react';
import { controllerContext, pageController } from '../controller';
import { TodoResource } from '../resources';

/** Awaited: a todo that does not exist is an error of the route, with its status. */
export async function loader({ context, params: { id = '' } }: LoaderFunctionArgs) {
  await context.get(controllerContext).fetch(TodoResource.get, { id });
  return null;
}

export function clientLoader({ params: { id = '' } }: ClientLoaderFunctionArgs) {
  pageController.prefetch(TodoResource.get, { id });
  return null;
}

function Todo() {
  const { id = '' } = useParams();
  const { title, notes } = useSuspense(TodoResource.get, { id });
  return (
    <main id="todo">
      <h1>{title}</h1>
      <p>{notes}</p>
    </main>
  );
}

export default function Page() {
  return (
    <Suspense fallback={<p>Loading</p>}>
      <Todo />
    </Suspense>
  );
}
