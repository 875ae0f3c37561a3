/** Accounts, profiles, and who follows whom. */
import type { Database, Row } from './Database.ts';
import { HttpFailure, requireFields } from './HttpFailure.ts';

export interface Account {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly bio: string | null;
  readonly image: string | null;
}

/** How passwords are stored. */
export interface Passwords {
  hash(password: string): string;
  matches(password: string, stored: string): boolean;
}

type Fields = Readonly<Record<string, string | undefined>>;

export class Users {
  readonly #db: Database;
  readonly #passwords: Passwords;

  constructor(db: Database, passwords: Passwords) {
    this.#db = db;
    this.#passwords = passwords;
  }

  register(body: Fields): object {
    requireFields(body, ['username', 'email', 'password']);
    const { username = '', email = '', password = '' } = body;
    this.#refuseTaken('username', username);
    this.#refuseTaken('email', email);
    this.#db.all(
      `INSERT INTO users (username, email, password, token)
       VALUES (:username, :email, :password, :token)`,
      { username, email, password: this.#passwords.hash(password), token: crypto.randomUUID() },
    );
    return userOf(this.#byEmail(email) as Account);
  }

  logIn(body: Fields): object {
    requireFields(body, ['email', 'password']);
    const account = this.#byEmail(body['email'] ?? '');
    if (
      account === undefined ||
      !this.#passwords.matches(body['password'] ?? '', account.password)
    ) {
      throw new HttpFailure(401, 'credentials', 'are invalid');
    }
    return userOf(account);
  }

  update(me: Account, body: Fields): object {
    for (const [name, value] of Object.entries(body)) {
      if (['username', 'email'].includes(name) && value !== me[name as 'email']) {
        requireFields(body, [name]);
        this.#refuseTaken(name, value ?? '');
      }
    }
    const { password, ...changes } = body;
    const { username, email, bio, image } = { ...me, ...changes };
    this.#db.all(
      `UPDATE users SET username = :username, email = :email, password = :password, bio = :bio, image = :image
       WHERE id = :id`,
      {
        id: me.id,
        username,
        email,
        bio,
        image,
        password: password ? this.#passwords.hash(password) : me.password,
      },
    );
    return userOf(this.#byEmail(email) as Account);
  }

  byToken(token: string): Account | undefined {
    return this.#db.get('SELECT * FROM users WHERE token = :token', { token }) as
      | Account
      | undefined;
  }

  profile(username: string, me?: Account): object {
    const row = this.#db.get(
      `SELECT username, bio, image,
         EXISTS (SELECT 1 FROM follows WHERE follower = :me AND followed = users.id) AS following
       FROM users WHERE username = :username`,
      { username, me: me?.id ?? 0 },
    );
    if (row === undefined) throw new HttpFailure(404, 'profile', 'not found');
    return profileOf(row);
  }

  follow(username: string, me: Account, follows: boolean): object {
    const sql = follows
      ? 'INSERT OR IGNORE INTO follows SELECT :me, id FROM users WHERE username = :username'
      : 'DELETE FROM follows WHERE follower = :me AND followed = (SELECT id FROM users WHERE username = :username)';
    this.#db.all(sql, { me: me.id, username });
    return this.profile(username, me);
  }

  #byEmail(email: string): Account | undefined {
    return this.#db.get('SELECT * FROM users WHERE email = :email', { email }) as
      | Account
      | undefined;
  }

  #refuseTaken(name: string, value: string): void {
    if (this.#db.get(`SELECT 1 FROM users WHERE ${name} = :value`, { value }) !== undefined) {
      throw new HttpFailure(422, name, 'has already been taken');
    }
  }
}

function userOf({ username, email, token, bio, image }: Account): object {
  return { user: { username, email, token, bio, image } };
}

/** As it stands in an article, a comment and alone. */
export function profileOf({ username, bio, image, following }: Row): object {
  return { username, bio, image, following: following === 1 };
}
