/** Passwords as a server in Node stores them. */
import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import type { Passwords } from './Users.ts';

export const scryptPasswords: Passwords = {
  hash(password) {
    const salt = randomUUID();
    return `${salt}:${derive(password, salt).toString('hex')}`;
  },
  matches(password, stored) {
    const [salt = '', key = ''] = stored.split(':');
    return timingSafeEqual(derive(password, salt), Buffer.from(key, 'hex'));
  },
};

const derive = (password: string, salt: string): Buffer =>
  scryptSync(password, salt, 32, { N: 1024 });
