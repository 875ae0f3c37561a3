/** The functions of React for the shared bodies of hooks. */
import { useMemo } from 'react';
import { isServer } from '../../src/surroundings.ts';
import type { Hooks } from '../hooks.ts';
import {
  startTransition,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useState,
} from './react.ts';

export const lent: Hooks = {
  useState,
  useMemo,
  useEffect,
  useCommit: useInsertionEffect,
  // React 18 warns of layout effects on a server
  useReveal: isServer() ? useEffect : useLayoutEffect,
  startTransition,
};
