/** What React lends to the bodies that adapters share. */
import { startTransition, useEffect, useInsertionEffect, useMemo, useState } from 'react';
import type { Hooks } from '../hooks.ts';

export const lent: Hooks = {
  useState,
  useMemo,
  useEffect,
  useCommit: useInsertionEffect,
  startTransition,
};
