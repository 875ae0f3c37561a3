/** Articles, their lists, favourites, tags and comments. */
import type { Database, Row } from './Database.ts';
import { HttpFailure, requireFields } from './HttpFailure.ts';
import { profileOf } from './Users.ts';
import type { Account } from './Users.ts';

export interface Search {
  readonly tag?: string | undefined;
  readonly author?: string | undefined;
  readonly favorited?: string | undefined;
  readonly limit?: string | undefined;
  readonly offset?: string | undefined;
}

interface ArticleFields {
  readonly title?: string;
  readonly description?: string;
  readonly body?: string;
  readonly tagList?: readonly string[];
}

const authorColumns = `
  users.username, users.bio, users.image,
  EXISTS (SELECT 1 FROM follows WHERE follower = :me AND followed = users.id) AS following`;

const columns = `
  articles.*, ${authorColumns},
  (SELECT COUNT(*) FROM favorites WHERE article = articles.id) AS favoritesCount,
  EXISTS (SELECT 1 FROM favorites WHERE article = articles.id AND user = :me) AS favorited,
  (SELECT json_group_array(name) FROM
    (SELECT name FROM tagged JOIN tags ON tags.id = tag WHERE article = articles.id ORDER BY name)) AS tagList`;

const from = 'FROM articles JOIN users ON users.id = articles.author';

const conditions = {
  tag: `articles.id IN (SELECT article FROM tagged JOIN tags ON tags.id = tag WHERE name = :tag)`,
  author: 'users.username = :author',
  favorited: `articles.id IN (SELECT article FROM favorites
    WHERE user = (SELECT id FROM users WHERE username = :favorited))`,
} as const;

export class Articles {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(search: Search, me?: Account): object {
    const { tag, author, favorited } = search;
    const given = Object.entries({ tag, author, favorited }).filter(
      (entry): entry is [keyof typeof conditions, string] => entry[1] !== undefined,
    );
    const wheres = given.map(([name]) => conditions[name]);
    return this.#page(wheres, Object.fromEntries(given), search, me);
  }

  feed(search: Search, me: Account): object {
    const followed = 'users.id IN (SELECT followed FROM follows WHERE follower = :me)';
    return this.#page([followed], {}, search, me);
  }

  get(slug: string, me?: Account): object {
    return { article: articleOf(this.#row(slug, me)) };
  }

  create(body: ArticleFields, me: Account): object {
    requireFields(body, ['title', 'description', 'body']);
    const { title = '', description = '', body: text = '', tagList = [] } = body;
    const now = new Date().toISOString();
    const slug = this.#freeSlug(title);
    this.#db.all(
      `INSERT INTO articles (slug, title, description, body, author, createdAt, updatedAt)
       VALUES (:slug, :title, :description, :text, :me, :now, :now)`,
      { slug, title, description, text, me: me.id, now },
    );
    this.#tag(slug, tagList);
    return this.get(slug, me);
  }

  update(slug: string, body: ArticleFields, me: Account): object {
    const row = this.#own(slug, me);
    const fields = {
      title: row['title'],
      description: row['description'],
      body: row['body'],
      ...body,
    };
    requireFields(fields, ['title', 'description', 'body']);
    const { title, description, body: text } = fields as Required<ArticleFields>;
    const next = title === row['title'] ? slug : this.#freeSlug(title);
    this.#db.all(
      `UPDATE articles SET slug = :next, title = :title, description = :description, body = :text,
         updatedAt = :now WHERE slug = :slug`,
      { slug, next, title, description, text, now: new Date().toISOString() },
    );
    if (body.tagList !== undefined) this.#tag(next, body.tagList);
    return this.get(next, me);
  }

  remove(slug: string, me: Account): void {
    this.#own(slug, me);
    this.#db.all('DELETE FROM articles WHERE slug = :slug', { slug });
  }

  favor(slug: string, me: Account, favors: boolean): object {
    const article = this.#row(slug, me)['id'] as number;
    const sql = favors
      ? 'INSERT OR IGNORE INTO favorites (user, article) VALUES (:me, :article)'
      : 'DELETE FROM favorites WHERE user = :me AND article = :article';
    this.#db.all(sql, { me: me.id, article });
    return this.get(slug, me);
  }

  /** In the order in which they were used first. */
  tags(): object {
    return { tags: this.#db.all('SELECT name FROM tags ORDER BY id').map(({ name }) => name) };
  }

  comments(slug: string, me?: Account): object {
    const article = this.#row(slug, me)['id'] as number;
    return { comments: this.#comments('article = :article', { article }, me) };
  }

  addComment(slug: string, body: ArticleFields, me: Account): object {
    requireFields(body, ['body']);
    const article = this.#row(slug, me)['id'] as number;
    const text = body.body ?? '';
    this.#db.all(
      'INSERT INTO comments (article, author, body, createdAt) VALUES (:article, :me, :text, :now)',
      { article, me: me.id, text, now: new Date().toISOString() },
    );
    const [comment] = this.#comments('comments.id = last_insert_rowid()', {}, me);
    return { comment };
  }

  removeComment(id: number, me: Account): void {
    const row = this.#db.get('SELECT author FROM comments WHERE id = :id', { id });
    if (row === undefined) throw new HttpFailure(404, 'comment', 'not found');
    if (row['author'] !== me.id) throw new HttpFailure(403, 'comment', 'is not yours');
    this.#db.all('DELETE FROM comments WHERE id = :id', { id });
  }

  #page(
    wheres: readonly string[],
    values: Readonly<Record<string, string>>,
    { limit = '20', offset = '0' }: Search,
    me?: Account,
  ): object {
    const where = wheres.length === 0 ? '' : `WHERE ${wheres.join(' AND ')}`;
    const all = { ...values, me: me?.id ?? 0, limit: Number(limit), offset: Number(offset) };
    const order = 'ORDER BY articles.id DESC LIMIT :limit OFFSET :offset';
    const rows = this.#db.all(`SELECT ${columns} ${from} ${where} ${order}`, all);
    const count = this.#db.get(`SELECT COUNT(*) AS count ${from} ${where}`, all);
    return {
      // rows of lists have no `body`
      articles: rows.map((row) => ({ ...articleOf(row), body: undefined })),
      articlesCount: count?.['count'],
    };
  }

  #row(slug: string, me?: Account): Row {
    const sql = `SELECT ${columns} ${from} WHERE slug = :slug`;
    const row = this.#db.get(sql, { slug, me: me?.id ?? 0 });
    if (row === undefined) throw new HttpFailure(404, 'article', 'not found');
    return row;
  }

  #own(slug: string, me: Account): Row {
    const row = this.#row(slug, me);
    if (row['author'] !== me.id) throw new HttpFailure(403, 'article', 'is not yours');
    return row;
  }

  #comments(where: string, values: Readonly<Record<string, number>>, me?: Account): object[] {
    const sql = `SELECT comments.*, ${authorColumns}
      FROM comments JOIN users ON users.id = comments.author WHERE ${where} ORDER BY comments.id`;
    return this.#db.all(sql, { ...values, me: me?.id ?? 0 }).map((row) => ({
      id: row['id'],
      body: row['body'],
      createdAt: row['createdAt'],
      author: profileOf(row),
    }));
  }

  #tag(slug: string, names: readonly string[]): void {
    const article = this.#db.get('SELECT id FROM articles WHERE slug = :slug', { slug });
    const values = { article: article?.['id'] as number };
    this.#db.all('DELETE FROM tagged WHERE article = :article', values);
    for (const name of names) {
      this.#db.all('INSERT OR IGNORE INTO tags (name) VALUES (:name)', { name });
      const sql = 'INSERT OR IGNORE INTO tagged SELECT :article, id FROM tags WHERE name = :name';
      this.#db.all(sql, { ...values, name });
    }
  }

  /** Made from the title; with a number behind it where that is taken. */
  #freeSlug(title: string): string {
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '');
    const isTaken = (text: string) =>
      text === 'feed' ||
      this.#db.get('SELECT 1 FROM articles WHERE slug = :text', { text }) !== undefined;
    let number = 1;
    const numbered = () => (number === 1 ? slug : `${slug}-${number}`);
    while (isTaken(numbered())) number++;
    return numbered();
  }
}

function articleOf(row: Row) {
  return {
    slug: row['slug'],
    title: row['title'],
    description: row['description'],
    body: row['body'],
    tagList: JSON.parse(row['tagList'] as string) as string[],
    createdAt: row['createdAt'],
    updatedAt: row['updatedAt'],
    favorited: row['favorited'] === 1,
    favoritesCount: row['favoritesCount'],
    author: profileOf(row),
  };
}
