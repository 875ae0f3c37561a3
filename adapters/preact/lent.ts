/** The functions of Preact for the shared bodies of hooks. */
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Hooks } from '../hooks.ts';

export const lent: Hooks = {
  useState,
  useMemo,
  useEffect,
  useCommit: useLayoutEffect,
  useReveal: useLayoutEffect,
  // Preact has no transitions
  startTransition: (change) => change(),
};
