/** Mistakes that types find with and without `strict`: nothing here is any. */
import * as preact from 'signalbox/preact';
import * as react from 'signalbox/react';
import * as solid from 'signalbox/solid';
import {
  Extended,
  Todo,
  TodoResource,
  UserResource,
  WithToken,
  byAuthor,
  controller,
  figures,
  getBoard,
  getFeed,
  getPets,
  getTime,
  getTotal,
  getUser,
  getUserByName,
  open,
  remove,
  rename,
  search,
  searchAgain,
  titles,
  titlesOf,
} from './data.ts';

const { get, getList } = TodoResource;
const id = { id: 1 };

export async function results(): Promise<unknown[]> {
  return [
    // @ts-expect-error no such field
    react.useSuspense(get, id).nam,
    // @ts-expect-error no such field
    react.useSuspense(get, null).nam,
    // @ts-expect-error no such field
    react.useSuspense(getList)[0]?.nam,
    // @ts-expect-error no such field
    react.useDLE(getList).data?.[0]?.nam,
    // @ts-expect-error no such field
    react.useCache(get, id)?.nam,
    // @ts-expect-error no such field
    react.useLive(get, id).nam,
    // @ts-expect-error no such field
    react.useSuspense(search, { text: '' })[0]?.nam,
    // @ts-expect-error no such field
    react.useSuspense(searchAgain, {})[0]?.nam,
    // @ts-expect-error no such field
    react.useSuspense(UserResource.search, {})[0]?.nam,
    // @ts-expect-error no such field
    react.useSuspense(getBoard, id).owner.nam,
    // @ts-expect-error no such field
    react.useSuspense(getBoard, id).byDay['x']?.[0]?.nam,
    // @ts-expect-error no such field
    react.useSuspense(getFeed).results[0]?.nam,
    // @ts-expect-error no such field
    react.useSuspense(getPets)[0]?.nam,
    // @ts-expect-error no such field
    react.useSuspense(getTime).nam,
    // @ts-expect-error no such field
    react.useSuspense(getUser, id).nam,
    // @ts-expect-error no such field
    react.useSuspense(getUserByName, { name: '' }).user.nam,
    // @ts-expect-error no such field
    react.useSuspense(WithToken.get, { slug: '' }).nam,
    // @ts-expect-error no such field
    react.useQuery(Todo, id)?.nam,
    // @ts-expect-error no such field
    react.useQuery(titles)?.nam,
    // @ts-expect-error no such field
    react.useQuery(titlesOf, { user: 1 })?.nam,
    // @ts-expect-error no such field
    react.useQuery(open, { userId: 1 })?.[0]?.nam,
    // @ts-expect-error no such field
    react.useQuery(byAuthor)?.['1']?.[0]?.nam,
    // @ts-expect-error no such field
    react.useQuery(figures)?.['1']?.nam,
    // @ts-expect-error no such field
    react.useQuery(figures)?.['1']?.best?.nam,
    // @ts-expect-error no such field
    react.useMutation(rename).data?.nam,
    // @ts-expect-error no such field
    react.useSelect(get, id, (data) => data.nam),
    // @ts-expect-error no such field
    preact.useQuery(get, id).value.data?.nam,
    // @ts-expect-error no such field
    preact.useSuspense(get, id).nam,
    // @ts-expect-error no such field
    solid.useSuspense(get, () => id)().nam,
    // @ts-expect-error no such field
    solid.useQuery(Todo, () => id)()?.nam,
    // @ts-expect-error no such field
    controller.get(Todo, id)?.nam,
    // @ts-expect-error no such field
    controller.getResponse(getList).data?.[0]?.nam,
    // @ts-expect-error no such field
    (await controller.fetch(rename, id, { title: '' })).nam,
    // @ts-expect-error no such field
    (await controller.fetch(Extended.archive, id)).nam,
    // @ts-expect-error no such method
    (await controller.fetch(getTotal, id)).nam,
    // @ts-expect-error no such field
    controller.entity(Todo, 1).value?.nam,
  ];
}

export const calls = (): unknown[] => [
  // @ts-expect-error the params are missing
  react.useSuspense(get),
  // @ts-expect-error the params are missing
  react.useDLE(get),
  // @ts-expect-error the params are missing
  react.useCache(get),
  // @ts-expect-error the params are missing
  preact.useQuery(get),
  // @ts-expect-error the params are missing
  solid.useSuspense(get),
  // @ts-expect-error the params are missing
  controller.fetch(get),
  // @ts-expect-error the id is missing
  react.useSuspense(get, {}),
  // @ts-expect-error the group is missing
  react.useSuspense(UserResource.getList, { page: 1 }),
  // @ts-expect-error the page is a number
  react.useSuspense(UserResource.getList, { group: 1, page: '1' }),
  // @ts-expect-error the title is text
  controller.fetch(rename, id, { title: 1 }),
  // @ts-expect-error an id is a text or a number
  react.useSuspense(get, { id: true }),
  // @ts-expect-error a mutation
  react.useSuspense(remove, 5),
  // @ts-expect-error a mutation
  react.useSuspense(rename, id, { title: '' }),
  // @ts-expect-error a mutation
  react.useDLE(TodoResource.create, { title: '' }),
  // @ts-expect-error a mutation
  preact.useSuspense(TodoResource.update, id, {}),
  // @ts-expect-error a mutation
  solid.useSuspense(TodoResource.delete, () => id),
  // @ts-expect-error a mutation
  react.useSuspense(Extended.archive, id),
  // @ts-expect-error an endpoint
  react.useQuery(get, id),
];
