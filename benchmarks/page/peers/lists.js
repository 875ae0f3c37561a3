/** What libraries that store answers as they came must do by hand: each stored list is changed by a function. */

export const retitled = (answer) => (list) =>
  list.map((issue) => (issue.id === answer.id ? answer : issue));

export const renamed = (user) => (list) =>
  list.map((issue) =>
    issue.user.id === user.id ? { ...issue, user: { ...issue.user, ...user } } : issue,
  );

export const unshifted = (made) => (list, params) =>
  params.state === made.state ? [made, ...list] : list;

export const removed = (id) => (list) => list.filter((issue) => issue.id !== id);

export const moved = (issue) => (list, params) => {
  const others = list.filter(({ id }) => id !== issue.id);
  return params.state === issue.state ? [...others, issue] : others;
};

export const commented = (id, comments) => (list) =>
  list.map((issue) => (issue.id === id ? { ...issue, comments } : issue));
