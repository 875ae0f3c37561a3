/** The functions of Preact for the shared bodies of hooks. */
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { FrameworkHooks } from '../FrameworkHooks.ts';

export const preactHooks: FrameworkHooks = {
  useState,
  useMemo,
  useEffect,
  useInsertionEffect: useLayoutEffect,
  useLayoutEffect: useLayoutEffect,
  // Preact has no transitions
  startTransition: (change) => change(),
};
