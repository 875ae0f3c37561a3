/** Who is logged in: the token outlives the page. */
import { effect, signal } from '@preact/signals-core';

export const token = signal(localStorage.getItem('token') ?? '');

effect(() => localStorage.setItem('token', token.value));
