/** How a request ends: what becomes of its outcome settles what its callers wait for. */
import { accept } from './accept.ts';
import type { Asked } from './Asked.ts';
import type { Desk } from './Desk.ts';
import { fail } from './fail.ts';

/** It is answered, unless it has been given up. */
export function answer(desk: Desk, asked: Asked, value: unknown): void {
  if (!asked.over) end(desk, asked, accept, value);
}

/** It has failed, unless it has been given up. */
export function refuse(desk: Desk, asked: Asked, error: unknown): void {
  if (!asked.over) end(desk, asked, fail, error);
}

export function end(desk: Desk, asked: Asked, become: typeof accept, outcome: unknown): void {
  const { resolve, reject } = asked;
  asked.forget();
  try {
    resolve(become(desk, asked, outcome));
  } catch (error) {
    reject(error);
  }
}
