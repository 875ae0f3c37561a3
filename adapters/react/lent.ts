/** What React lends to the bodies that adapters share. */
import {
  startTransition,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { isServer } from '../../src/surroundings.ts';
import type { Hooks } from '../hooks.ts';

export const lent: Hooks = {
  useState,
  useMemo,
  useEffect,
  useCommit: useInsertionEffect,
  // React 18 complains of layout effects on a server
  useReveal: isServer() ? useEffect : useLayoutEffect,
  startTransition,
};
