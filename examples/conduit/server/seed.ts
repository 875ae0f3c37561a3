/** What Conduit holds at the beginning: three authors, twenty-five articles, some follows and favourites. */
import type { Articles } from './Articles.ts';
import type { Account, Users } from './Users.ts';

/** Everybody's password is `secret`, and their address is `<name>@example.com`. */
export const people = {
  ada: 'Writes about engines, and about what they will be able to do.',
  grace: 'Sailor of the wide seas between a program and its machine.',
  joan: 'Checks the orbits by hand, then once more.',
} as const;

const subjects: readonly (readonly [string, string])[] = [
  ['Signals', 'signals'],
  ['Tables', 'data'],
  ['Races', 'network'],
  ['Forms', 'web'],
  ['Maps', 'data'],
];
const views: readonly string[] = [
  'A first look at',
  'Notes on',
  'The case for',
  'Against',
  'After',
];

export function seed(users: Users, articles: Articles): void {
  const names = Object.keys(people) as (keyof typeof people)[];
  const accounts = names.map((username): Account => {
    const email = `${username}@example.com`;
    const { user } = users.register({ username, email, password: 'secret' }) as { user: Account };
    const me = users.byToken(user.token) as Account;
    users.update(me, { bio: people[username] });
    return me;
  });
  const author = (at: number) => accounts[at % accounts.length] as Account;
  const slugs: string[] = [];
  for (const [line, view] of views.entries()) {
    for (const [column, [subject, tag]] of subjects.entries()) {
      const title = `${view} ${subject}`;
      const draft = {
        title,
        description: `What ${subject.toLowerCase()} are good for, in a few lines.`,
        body: `${title}: there is more to say than fits here.\n\nBut it is a beginning.`,
        tagList: line % 2 === 0 ? [tag, 'essay'] : [tag],
      };
      const at = line * subjects.length + column;
      const { article } = articles.create(draft, author(at)) as { article: { slug: string } };
      slugs.push(article.slug);
    }
  }
  const [ada, grace, joan] = accounts as [Account, Account, Account];
  users.follow('grace', ada, true);
  users.follow('ada', joan, true);
  for (const slug of slugs.slice(-3)) articles.favor(slug, joan, true);
  for (const slug of slugs.slice(0, 12)) articles.favor(slug, grace, true);
  articles.addComment(slugs.at(-1) ?? '', { body: 'I had not seen it so.' }, grace);
}
