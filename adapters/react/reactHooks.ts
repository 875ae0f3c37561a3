/** The functions of React for the shared bodies of hooks. */
import { isServer } from '../../src/page.ts';
import type { FrameworkHooks } from '../FrameworkHooks.ts';
import {
  startTransition,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useState,
} from './react.ts';
import { useMemo } from 'react';

export const reactHooks: FrameworkHooks = {
  useState,
  useMemo,
  useEffect,
  useInsertionEffect: useInsertionEffect,
  // React 18 warns of layout effects on a server
  useLayoutEffect: isServer() ? useEffect : useLayoutEffect,
  startTransition,
};
