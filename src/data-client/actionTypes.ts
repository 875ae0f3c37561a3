/** The types of the actions that middleware receives. */

/** `actionTypes.FETCH`, `actionTypes.SET_RESPONSE`, …; each has a second name of older versions. */
export const actionTypes = {
  FETCH: 'rdc/fetch',
  SET: 'rdc/set',
  SET_RESPONSE: 'rdc/setresponse',
  OPTIMISTIC: 'rdc/optimistic',
  RESET: 'rdc/reset',
  SUBSCRIBE: 'rdc/subscribe',
  UNSUBSCRIBE: 'rdc/unsubscribe',
  INVALIDATE: 'rdc/invalidate',
  INVALIDATEALL: 'rdc/invalidateall',
  EXPIREALL: 'rdc/expireall',
  GC: 'rdc/gc',
  FETCH_TYPE: 'rdc/fetch',
  SET_TYPE: 'rdc/set',
  SET_RESPONSE_TYPE: 'rdc/setresponse',
  OPTIMISTIC_TYPE: 'rdc/optimistic',
  RESET_TYPE: 'rdc/reset',
  SUBSCRIBE_TYPE: 'rdc/subscribe',
  UNSUBSCRIBE_TYPE: 'rdc/unsubscribe',
  INVALIDATE_TYPE: 'rdc/invalidate',
  INVALIDATEALL_TYPE: 'rdc/invalidateall',
  EXPIREALL_TYPE: 'rdc/expireall',
  GC_TYPE: 'rdc/gc',
  RECEIVE_TYPE: 'rdc/setresponse',
} as const;
